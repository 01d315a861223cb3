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
