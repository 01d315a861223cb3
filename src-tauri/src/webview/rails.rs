//! What a site may do in a view of ours: be a web page, and nothing else.

use gtk::prelude::*;
use webkit2gtk::{
    AuthenticationRequestExt, FileChooserRequestExt, NavigationPolicyDecision,
    NavigationPolicyDecisionExt, PermissionRequestExt, PolicyDecision, PolicyDecisionExt,
    PolicyDecisionType, ResponsePolicyDecision, ResponsePolicyDecisionExt, Settings, SettingsExt,
    URIRequestExt, WebView, WebViewExt,
};

/// Who is looking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guest {
    /// Nobody: the app reads the page. No sound, no dialogs, no new windows.
    Reader,
    /// The user, in a visible window.
    Person,
}

/// Addresses that a page of ours may go to.
pub(crate) fn is_web(address: &str) -> bool {
    let scheme = address.split_once(':').map_or("", |(scheme, _)| scheme);
    scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http")
}

/// A page may also fill frames of its own with these; they lead nowhere.
fn is_own_frame(address: &str) -> bool {
    address == "about:blank" || address == "about:srcdoc" || address.starts_with("blob:http")
}

/// Puts the rails up. Before anything is loaded.
pub(crate) fn put_up_rails(view: &WebView, guest: Guest) {
    if let Some(settings) = WebViewExt::settings(view) {
        limit(&settings, guest);
    }
    view.connect_decide_policy(move |_, decision, kind| decide(decision, kind, guest));
    view.connect_permission_request(|_, request| {
        request.deny();
        true
    });
    view.connect_print(|_, _| true);
    view.connect_show_notification(|_, _| true);
    if guest == Guest::Reader {
        view.set_is_muted(true);
        view.connect_create(|_, _| None);
        view.connect_script_dialog(|_, _| true);
        view.connect_authenticate(|_, request| {
            request.cancel();
            true
        });
        view.connect_run_file_chooser(|_, request| {
            request.cancel();
            true
        });
        view.connect_enter_fullscreen(|_| true);
        view.connect_context_menu(|_, _, _, _| true);
    }
}

fn limit(settings: &Settings, guest: Guest) {
    settings.set_enable_developer_extras(false);
    settings.set_enable_media_stream(false);
    settings.set_media_playback_requires_user_gesture(true);
    settings.set_enable_page_cache(false);
    if guest == Guest::Reader {
        settings.set_enable_media(false);
        settings.set_javascript_can_open_windows_automatically(false);
    }
}

/// True: decided here.
fn decide(decision: &PolicyDecision, kind: PolicyDecisionType, guest: Guest) -> bool {
    let allowed = match kind {
        PolicyDecisionType::NavigationAction => {
            address_of(decision).is_some_and(|address| is_web(&address) || is_own_frame(&address))
        }
        PolicyDecisionType::NewWindowAction => {
            guest == Guest::Person && address_of(decision).is_some_and(|address| is_web(&address))
        }
        PolicyDecisionType::Response => decision
            .downcast_ref::<ResponsePolicyDecision>()
            .is_none_or(ResponsePolicyDecisionExt::is_mime_type_supported),
        _ => false,
    };
    if !allowed {
        decision.ignore();
    }
    !allowed
}

fn address_of(decision: &PolicyDecision) -> Option<String> {
    let navigation = decision.downcast_ref::<NavigationPolicyDecision>()?;
    let request = navigation.navigation_action()?.request()?;
    Some(request.uri()?.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_web_is_a_place_to_go() {
        for good in ["https://kamer.example/a", "http://127.0.0.1:9/", "HTTPS://KAMER.EXAMPLE/"] {
            assert!(is_web(good), "{good}");
        }
        for bad in [
            "file:///etc/passwd",
            "tauri://localhost/index.html",
            "ipc://localhost/call",
            "firstknock-image://localhost/x",
            "javascript:alert(1)",
            "data:text/html,hello",
            "mailto:a@b.example",
            "httpsx://kamer.example/",
            "about:blank",
            "",
        ] {
            assert!(!is_web(bad), "{bad}");
        }
    }

    #[test]
    fn a_frame_of_a_page_may_be_filled_by_the_page_itself() {
        assert!(is_own_frame("about:blank"));
        assert!(is_own_frame("blob:https://kamer.example/1-2-3"));
        assert!(!is_own_frame("blob:file:///x"));
        assert!(!is_own_frame("about:config"));
    }
}
