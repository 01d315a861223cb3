//! The desktop's side of the session bus: who shows tray icons.

use std::sync::{Arc, Mutex};

use zbus::zvariant::{OwnedValue, Value};

/// A panel that shows tray icons.
pub(crate) struct Panel {
    bus: zbus::Connection,
    items: Arc<Mutex<Vec<String>>>,
}

struct Watcher(Arc<Mutex<Vec<String>>>);

#[zbus::interface(name = "org.kde.StatusNotifierWatcher")]
impl Watcher {
    fn register_status_notifier_item(
        &self,
        service: &str,
        #[zbus(header)] header: zbus::message::Header<'_>,
    ) {
        let sender = header.sender().map(ToString::to_string).unwrap_or_default();
        let owner = if service.starts_with('/') { sender } else { service.to_owned() };
        self.0.lock().unwrap().push(owner);
    }

    #[zbus(property)]
    fn is_status_notifier_host_registered(&self) -> bool {
        true
    }

    #[zbus(property)]
    fn protocol_version(&self) -> i32 {
        0
    }

    #[zbus(property)]
    fn registered_status_notifier_items(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

type Layout = (i32, std::collections::HashMap<String, OwnedValue>, Vec<OwnedValue>);

impl Panel {
    /// Opens the panel on a stage's bus.
    pub(crate) async fn open(address: &str) -> Self {
        let items = Arc::new(Mutex::new(Vec::new()));
        let bus = zbus::connection::Builder::address(address)
            .unwrap()
            .serve_at("/StatusNotifierWatcher", Watcher(Arc::clone(&items)))
            .unwrap()
            .name("org.kde.StatusNotifierWatcher")
            .unwrap()
            .build()
            .await
            .unwrap();
        Self { bus, items }
    }

    /// The owner of the icon, once there is one.
    pub(crate) fn icon(&self) -> Option<String> {
        self.items.lock().unwrap().last().cloned()
    }

    /// The menu's entries: id and label.
    pub(crate) async fn menu(&self) -> Option<Vec<(i32, String)>> {
        let menu = self.menu_proxy().await?;
        let wanted: &[&str] = &[];
        let (_, layout): (u32, Layout) =
            menu.call("GetLayout", &(0_i32, -1_i32, wanted)).await.ok()?;
        let entries = layout.2.into_iter().filter_map(|child| {
            let (id, properties, _) = Layout::try_from(child).ok()?;
            let label = properties
                .get("label")
                .and_then(|label| String::try_from(label.try_clone().ok()?).ok());
            Some((id, label.unwrap_or_default()))
        });
        Some(entries.collect())
    }

    /// Clicks an entry by its label.
    pub(crate) async fn choose(&self, label: &str) {
        let entries = self.menu().await.unwrap();
        let (id, _) = entries
            .iter()
            .find(|(_, text)| text == label)
            .unwrap_or_else(|| panic!("no {label:?} in {entries:?}"));
        let nothing = Value::from(0_i32);
        let event = (*id, "clicked", nothing, 0_u32);
        let menu = self.menu_proxy().await.unwrap();
        menu.call::<_, _, ()>("Event", &event).await.unwrap();
    }

    async fn menu_proxy(&self) -> Option<zbus::Proxy<'static>> {
        let owner = self.icon()?;
        zbus::Proxy::new(&self.bus, owner, "/MenuBar", "com.canonical.dbusmenu").await.ok()
    }
}

/// A notification as the desktop got it.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    pub(crate) title: String,
    pub(crate) body: String,
    /// Ids and labels of the buttons, one after the other.
    pub(crate) actions: Vec<String>,
}

/// The desktop's notifications.
pub(crate) struct Notices {
    bus: zbus::Connection,
    shown: Arc<Mutex<Vec<Shown>>>,
}

struct Daemon(Arc<Mutex<Vec<Shown>>>);

const NOTICES: &str = "/org/freedesktop/Notifications";

#[zbus::interface(name = "org.freedesktop.Notifications")]
impl Daemon {
    #[expect(clippy::too_many_arguments, reason = "the desktop's specification says so")]
    fn notify(
        &self,
        _app: &str,
        _replaces: u32,
        _icon: &str,
        title: String,
        body: String,
        actions: Vec<String>,
        _hints: std::collections::HashMap<String, OwnedValue>,
        _expires: i32,
    ) -> u32 {
        let mut shown = self.0.lock().unwrap();
        shown.push(Shown { title, body, actions });
        u32::try_from(shown.len()).unwrap()
    }

    fn get_capabilities(&self) -> Vec<String> {
        vec![String::from("actions"), String::from("body")]
    }

    fn get_server_information(&self) -> (String, String, String, String) {
        let word = || String::from("test");
        (word(), word(), word(), String::from("1.2"))
    }

    fn close_notification(&self, _id: u32) {}

    #[zbus(signal)]
    async fn action_invoked(
        emitter: &zbus::object_server::SignalEmitter<'_>,
        id: u32,
        action: &str,
    ) -> zbus::Result<()>;
}

impl Notices {
    /// Starts showing notifications on a stage's bus.
    pub(crate) async fn open(address: &str) -> Self {
        let shown = Arc::new(Mutex::new(Vec::new()));
        let bus = zbus::connection::Builder::address(address)
            .unwrap()
            .serve_at(NOTICES, Daemon(Arc::clone(&shown)))
            .unwrap()
            .name("org.freedesktop.Notifications")
            .unwrap()
            .build()
            .await
            .unwrap();
        Self { bus, shown }
    }

    /// All of them so far.
    pub(crate) fn shown(&self) -> Vec<Shown> {
        self.shown.lock().unwrap().clone()
    }

    /// Presses a button of the newest.
    pub(crate) async fn press(&self, action: &str) {
        let id = u32::try_from(self.shown().len()).unwrap();
        let place = self.bus.object_server().interface::<_, Daemon>(NOTICES).await.unwrap();
        Daemon::action_invoked(place.signal_emitter(), id, action).await.unwrap();
    }
}
