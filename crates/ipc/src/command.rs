//! The one command list: what the window, the web twin and tests may ask for.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::*;

/// An argument that is only a search's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ById {
    pub id: i64,
}

/// An argument that is only a host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ByHost {
    pub host: String,
}

/// A switch of one search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Switch {
    pub id: i64,
    pub on: bool,
}

/// A pasted address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Pasted {
    pub url: String,
    /// A set that the user chose where an earlier preview was unsure.
    pub choice: Option<u32>,
}

/// A mail address that a set-up begins with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MailAddress {
    pub address: String,
}

/// Nothing to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Nothing {}

macro_rules! commands {
    ($($(#[$doc:meta])* $name:ident / $variant:ident ($args:ty) -> $reply:ty;)*) => {
        /// A command with its arguments; the reply's type is in the generated `Commands`.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case", tag = "name", content = "args")]
        pub enum Command {
            $($(#[$doc])* $variant($args),)*
        }

        impl Command {
            /// All names, in the order of the list.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];
        }

        fn command_lines() -> Vec<String> {
            vec![$(format!(
                "  {}: {{ args: {}; reply: {} }};",
                stringify!($name),
                <$args as TS>::name(&config()),
                <$reply as TS>::name(&config()),
            )),*]
        }
    };
}

commands! {
    /// The whole board once (the stream is better).
    get_board / GetBoard(Nothing) -> Board;
    get_about / GetAbout(Nothing) -> About;
    /// Asks the page and says what is on it.
    preview / Preview(Pasted) -> Preview;
    would_show / WouldShow(WouldShowQuery) -> WouldShow;
    add_search / AddSearch(NewSearch) -> ById;
    edit_search / EditSearch(EditSearch) -> Nothing;
    delete_search / DeleteSearch(ById) -> Nothing;
    set_enabled / SetEnabled(Switch) -> Nothing;
    set_muted / SetMuted(Switch) -> Nothing;
    /// One probe now, with this search.
    retry_now / RetryNow(ById) -> Nothing;
    /// A check now where nothing waits; keeps the gap.
    check_now / CheckNow(ById) -> Nothing;
    /// "Send me what is there now".
    send_current / SendCurrent(ById) -> Nothing;
    start / Start(Nothing) -> Nothing;
    stop / Stop(Nothing) -> Nothing;
    clear_session / ClearSession(ByHost) -> Nothing;
    list_listings / ListListings(ListingQuery) -> ListingPage;
    mark_listing / MarkListing(MarkListing) -> Nothing;
    mark_all_read / MarkAllRead(Nothing) -> Nothing;
    dismiss_away / DismissAway(Nothing) -> Nothing;
    insight / Insight(InsightQuery) -> Insight;
    list_deliveries / ListDeliveries(Nothing) -> Vec<DeliveryRow>;
    send_again / SendAgain(ById) -> Nothing;
    get_settings / GetSettings(Nothing) -> Settings;
    put_settings / PutSettings(Settings) -> Nothing;
    guess_mail / GuessMail(MailAddress) -> MailGuess;
    get_mail / GetMail(Nothing) -> Option<MailAccountShown>;
    put_mail / PutMail(MailAccount) -> Nothing;
    forget_mail / ForgetMail(Nothing) -> Nothing;
    test_mail / TestMail(MailAccount) -> TestResult;
    /// The channels beside mail.
    list_channels / ListChannels(Nothing) -> Vec<ChannelShown>;
    put_channel / PutChannel(ChannelWish) -> Nothing;
    remove_channel / RemoveChannel(ByName) -> Nothing;
    /// A real test message.
    test_channel / TestChannel(ByName) -> TestResult;
    /// What is kept, with its backups.
    get_data / GetData(Nothing) -> DataFacts;
    back_up / BackUp(Nothing) -> BackupShown;
    /// Back to a backup; what is there now is backed up first.
    restore / Restore(ByName) -> Nothing;
    export / Export(ExportQuery) -> ExportedFile;
    import_searches / ImportSearches(ImportText) -> Vec<ImportLine>;
    /// The local API, and the programs that may use it.
    get_api / GetApi(Nothing) -> ApiShown;
    /// Its token is in this answer and in no other.
    add_client / AddClient(NewClient) -> MadeClient;
    edit_client / EditClient(EditClient) -> Nothing;
    revoke_client / RevokeClient(ById) -> Nothing;
    /// Ends its lock and begins its budgets anew.
    let_client_in / LetClientIn(ById) -> Nothing;
}

fn config() -> ts_rs::Config {
    ts_rs::Config::new().with_large_int("number")
}

/// The whole of `bindings.ts`.
pub fn bindings() -> String {
    let config = config();
    let mut out = String::from(
        "// Generated from the crate `ipc` by `cargo xtask bindings`. Do not edit.\n\n",
    );
    macro_rules! decl {
        ($($t:ty),* $(,)?) => { $(
            out.push_str("export ");
            out.push_str(&<$t as TS>::decl(&config));
            out.push_str("\n\n");
        )* };
    }
    decl!(
        About,
        AlertChoices,
        ApiShown,
        ApiState,
        AppStatus,
        Away,
        AwayWhy,
        BackupShown,
        BackupWhy,
        Banner,
        Board,
        BoardFacts,
        ByHost,
        ById,
        ByName,
        CandidateList,
        ChannelSetup,
        ChannelShown,
        ChannelWish,
        CheckMark,
        ClientShown,
        DataFacts,
        DeliveryRow,
        DeliveryState,
        DeliveryStep,
        EditClient,
        EditSearch,
        ErrorBody,
        ErrorCode,
        ExportQuery,
        ExportWhat,
        ExportedFile,
        Filters,
        Found,
        GuessSource,
        HiddenCount,
        HostCard,
        HostState,
        ImportFate,
        ImportLine,
        ImportText,
        Insight,
        InsightQuery,
        KeepSecret,
        Language,
        ListingCard,
        ListingOnly,
        ListingPage,
        ListingQuery,
        ListingRow,
        ListingSort,
        LockWhy,
        MadeClient,
        MailAccount,
        MailAccountShown,
        MailAddress,
        MailGuess,
        MailToken,
        MailTokenShown,
        TokenPlace,
        MailSecurity,
        MailState,
        MarkListing,
        MenuPick,
        NewClient,
        NewSearch,
        News,
        Nothing,
        Pace,
        Pasted,
        Preview,
        PreviewListing,
        PreviewRefusal,
        Price,
        PriceKind,
        PricePeriod,
        PriceStep,
        QuietHours,
        Reader,
        Remark,
        Retry,
        RowState,
        SearchRow,
        SeenBefore,
        Settings,
        StatusEvent,
        StopWhy,
        Switch,
        TestResult,
        Theme,
        Turn,
        WallKind,
        WouldShow,
        WouldShowQuery,
    );
    out.push_str("export interface Commands {\n");
    for line in command_lines() {
        out.push_str(&line);
        out.push('\n');
    }
    out.push_str("}\n");
    out
}
