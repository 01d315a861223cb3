// Generated from the crate `ipc` by `cargo xtask bindings`. Do not edit.

export type About = { version: string, data_folder: string, mail_folder: string, 
/**
 * A webview can open sites and read pages here.
 */
can_open_sites: boolean, has_keychain: boolean, 
/**
 * A tray can be seen here.
 */
has_tray: boolean, 
/**
 * The street is offered here.
 */
has_street: boolean, };

export type AlertChoices = { new: boolean, price_drops: boolean, relisted: boolean, pace: Pace, quiet: QuietHours | null, };

export type ApiShown = { state: ApiState, 
/**
 * It is on or off as the settings say; `knock serve` is always on.
 */
can_switch: boolean, clients: Array<ClientShown>, };

export type ApiState = { "kind": "off" } | { "kind": "on", port: number, } | { "kind": "failed", port: number, };

export type AppStatus = { "kind": "polling", checking: number, of: number, } | { "kind": "idle", waiting: number, next_at: number | null, } | { "kind": "stopped", why: StopWhy, since: number, } | { "kind": "offline", since: number, next_at: number | null, };

export type Away = { appeared: number, gone: number, from: number, to: number, why: AwayWhy, 
/**
 * Of a site that refused us: its name; only its listings are counted.
 */
host: string | null, };

export type AwayWhy = "asleep" | "blocked" | "closed";

export type BackupShown = { 
/**
 * Its file's name: what `restore` wants.
 */
name: string, at: number, bytes: number, why: BackupWhy, };

export type BackupWhy = "daily" | "before_migration" | "by_hand";

export type Banner = { "kind": "offline" } | { "kind": "mail_locked" } | { "kind": "disk_full" } | { "kind": "read_only" } | { "kind": "restored_backup", from: number, } | { "kind": "mail_to_folder", folder: string, } | { "kind": "client_limited", client: string, offences: number, 
/**
 * Locked out until then, while it is.
 */
until: number | null, };

export type Board = { app: AppStatus, 
/**
 * In the user's order.
 */
rows: Array<SearchRow>, hosts: Array<HostCard>, facts: BoardFacts, };

export type BoardFacts = { unread: number, mail: MailState, banners: Array<Banner>, max_searches: number, enabled_searches: number, away: Away | null, 
/**
 * What stands behind the `-` in the keys of the last photos that came, newest last: who drew
 * a front in one's place asks again.
 */
photos: Array<string>, };

export type ByHost = { host: string, };

export type ById = { id: number, };

export type ByName = { name: string, };

export type CandidateList = { index: number, count: number, sample: Array<ListingCard>, };

export type ChannelSetup = { "kind": "desktop" } | { "kind": "ntfy", server: string, 
/**
 * Empty: a long random one is thrown.
 */
topic: string, 
/**
 * Street and house number may be in the message.
 */
with_street: boolean, has_token: boolean, } | { "kind": "telegram", chat: string, } | { "kind": "webhook", url: string, signed: boolean, };

export type ChannelShown = { name: string, setup: ChannelSetup, enabled: boolean, 
/**
 * It cannot send now: the code of a hold.
 */
held: string | null, last_accepted: number | null, };

export type ChannelWish = { name: string, setup: ChannelSetup, 
/**
 * `None` keeps the stored one.
 */
secret: string | null, };

export type CheckMark = "news" | "answered" | "empty" | "refused" | "failed" | "not_asked";

export type ClientShown = { id: number, name: string, 
/**
 * It may change things, not only look.
 */
can_write: boolean, 
/**
 * Units of cost that it may spend within any 60 s.
 */
per_minute: number, 
/**
 * Within any 24 h.
 */
per_day: number, spent_minute: number, spent_day: number, 
/**
 * When it was last answered.
 */
seen_at: number | null, 
/**
 * Of the last 24 h.
 */
offences: number, locked_until: number | null, };

export type DataFacts = { listings: number, 
/**
 * Of the database.
 */
bytes: number, 
/**
 * Newest first.
 */
backups: Array<BackupShown>, };

export type DeliveryRow = { id: number, 
/**
 * `mail`, `file`, `ntfy` …
 */
channel: string, subject: string, created_at: number, state: DeliveryState, attempts: number, 
/**
 * Oldest first.
 */
history: Array<DeliveryStep>, };

export type DeliveryState = { "kind": "pending" } | { "kind": "sending" } | { "kind": "sent", at: number, reply: string, } | { "kind": "retry_at", at: number, why: string, } | { "kind": "held", why: string, } | { "kind": "maybe_delivered", why: string, } | { "kind": "given_up", why: string, };

export type DeliveryStep = { at: number, state: string, words: string, };

export type EditClient = { id: number, name: string, can_write: boolean, per_minute: number, per_day: number, };

export type EditSearch = { id: number, url: string, name: string, filters: Filters, alerts: AlertChoices, interval_ms: number, reader: Reader, muted: boolean, };

export type ErrorBody = { code: ErrorCode, 
/**
 * Arguments of the sentence.
 */
args: { [key in string]: string }, };

export type ErrorCode = "not_an_address" | "not_http" | "has_password" | "address_too_long" | "duplicate" | "too_many" | "not_found" | "out_of_range" | "locked" | "host_waits" | "bad_import" | "bad_backup" | "shown_once" | "storage" | "mail_login" | "mail_server" | "bad_email" | "secrets" | "took_too_long" | "busy" | "stopping" | "unsupported" | "internal";

export type ExportQuery = { what: ExportWhat, };

export type ExportWhat = "listings_csv" | "listings_json" | "searches";

export type ExportedFile = { 
/**
 * Suggested.
 */
name: string, text: string, };

export type Filters = { min_price: number | null, max_price: number | null, min_size: number | null, min_rooms: number | null, want_words: Array<string>, exclude_words: Array<string>, hide_let: boolean, };

export type Found = { 
/**
 * Suggested.
 */
name: string, count: number, 
/**
 * The first three.
 */
sample: Array<ListingCard>, 
/**
 * All, small, for "would have shown 9 of the 24".
 */
all: Array<PreviewListing>, took_ms: number, 
/**
 * The page lives at another address now (permanent redirect).
 */
moved_to: string | null, remark: Remark | null, };

export type GuessSource = "preset" | "autoconfig" | "guess";

export type HiddenCount = { why: string, word: string | null, count: number, };

export type HostCard = { host: string, searches: number, state: HostState, retry: Retry, last_answer_at: number | null, 
/**
 * Cookies of plain requests, or a webview session, are kept for it.
 */
has_session: boolean, 
/**
 * "Open site" makes sense here (needs a person, or can be looked at).
 */
can_open_site: boolean, };

export type HostState = { "kind": "answers", next_at: number | null, } | { "kind": "waits", wall: WallKind, reason: string, since: number, failures: number, 
/**
 * What the site asked for, before the cap.
 */
asked_ms: number | null, retry_at: number, evidence: Array<string>, } | { "kind": "probing", since: number, } | { "kind": "site_open", since: number, };

export type ImportFate = { "kind": "added" } | { "kind": "paused", max: number, } | { "kind": "duplicate", of: string, };

export type ImportLine = { 
/**
 * From 1.
 */
entry: number, name: string, fate: ImportFate, };

export type ImportText = { 
/**
 * A JSON array as `export` gives it, or an address per line.
 */
text: string, };

export type Insight = { search: number, since: number | null, 
/**
 * New listings by weekday (Monday first) and hour.
 */
by_hour: Array<Array<number>>, 
/**
 * Monthly prices seen, lowest first, at most 500.
 */
prices: Array<number>, 
/**
 * From the check before it was seen to "250", in seconds, per mailed listing; newest last.
 */
delays_s: Array<number>, new_total: number, };

export type InsightQuery = { search: number, 
/**
 * IANA name of the viewer's zone.
 */
zone: string, };

export type KeepSecret = "keychain" | "session" | "file";

export type Language = "en" | "nl" | "de";

export type ListingCard = { title: string | null, address: string | null, price: Price | null, price_on_request: boolean, size_m2: number | null, rooms: number | null, bedrooms: number | null, 
/**
 * Opaque key of the photo, for the image scheme or the web twin's `photos/KEY`; `None` when
 * there is none or photos are off.
 */
image: string | null, url: string, };

export type ListingOnly = "all" | "unread" | "starred" | "gone" | "hidden";

export type ListingPage = { rows: Array<ListingRow>, next: string | null, total: number, unread: number, };

export type ListingQuery = { search: number | null, text: string, only: ListingOnly, sort: ListingSort, 
/**
 * From the last page; `None` for the first.
 */
cursor: string | null, 
/**
 * 1 to 200.
 */
limit: number, };

export type ListingRow = { id: number, card: ListingCard, host: string, news: News | null, first_seen: number, last_seen: number, 
/**
 * When it was no longer on any page.
 */
gone_at: number | null, unread: boolean, starred: boolean, hidden: boolean, note: string, available_from: string | null, let_already: boolean, 
/**
 * Oldest first; two or more only when the price moved.
 */
prices: Array<PriceStep>, 
/**
 * Searches that have it.
 */
searches: Array<number>, seen_before: SeenBefore | null, };

export type ListingSort = "newest" | "cheapest" | "largest";

export type LockWhy = "site_asked" | "refused_again";

export type MadeClient = { id: number, token: string, };

export type MailAccount = { from: string, to: string, server: string, port: number, security: MailSecurity, login: string, 
/**
 * `None` keeps the stored one.
 */
password: string | null, 
/**
 * Signing in with a token; `None` means with the password.
 */
token: MailToken | null, keep_secret: KeepSecret, };

export type MailAccountShown = { from: string, to: string, server: string, port: number, security: MailSecurity, login: string, 
/**
 * The password or the refresh token is kept.
 */
has_secret: boolean, token: MailTokenShown | null, keep_secret: KeepSecret, };

export type MailAddress = { address: string, };

export type MailGuess = { address: string, server: string, port: number, security: MailSecurity, login: string, source: GuessSource, 
/**
 * `hint_<code>`: an app password is needed, this provider refuses passwords …
 */
hint: string | null, refuses_passwords: boolean, 
/**
 * Where its tokens come from, if we know.
 */
token: TokenPlace | null, };

export type MailToken = { token_url: string, client_id: string, 
/**
 * The provider gave the client a secret.
 */
has_client_secret: boolean, 
/**
 * `None` keeps the stored one.
 */
client_secret: string | null, 
/**
 * `None` keeps the stored one.
 */
refresh_token: string | null, };

export type MailTokenShown = { token_url: string, client_id: string, has_client_secret: boolean, };

export type TokenPlace = { token_url: string, 
/**
 * The permission that a token must carry to send mail.
 */
scope: string, };

export type MailSecurity = "implicit" | "starttls";

export type MailState = { "kind": "folder", folder: string, last: number | null, } | { "kind": "works", address: string, last_accepted: number | null, } | { "kind": "held", address: string, why: string, hint: string | null, } | { "kind": "locked", address: string, } | { "kind": "retrying", address: string, next: number, why: string, };

export type MarkListing = { id: number, read: boolean | null, starred: boolean | null, hidden: boolean | null, note: string | null, };

export type MenuPick = "add" | "back_up" | "settings" | "searches" | "listings" | "insight" | "find" | "help" | "keys" | "street";

export type NewClient = { name: string, can_write: boolean, };

export type NewSearch = { url: string, name: string, filters: Filters, alerts: AlertChoices, interval_ms: number, reader: Reader, enabled: boolean, 
/**
 * Which candidate set, where the preview was unsure.
 */
choice: number | null, 
/**
 * Also send what is there now.
 */
send_current: boolean, };

export type News = "new" | "price_drop" | "price_rise" | "relisted";

export type Nothing = Record<symbol, never>;

export type Pace = "instant" | "digest";

export type Pasted = { url: string, 
/**
 * A set that the user chose where an earlier preview was unsure.
 */
choice: number | null, };

export type Preview = { "kind": "found" } & Found | { "kind": "unsure", name: string, lists: Array<CandidateList>, took_ms: number, } | { "kind": "refused", why: PreviewRefusal, };

export type PreviewListing = { text: string, price_monthly: number | null, size_m2: number | null, rooms: number | null, let_already: boolean, };

export type PreviewRefusal = { "kind": "not_an_address" } | { "kind": "not_http" } | { "kind": "has_password" } | { "kind": "too_long" } | { "kind": "duplicate", id: number, name: string, } | { "kind": "sixteenth", max: number, } | { "kind": "one_home" } | { "kind": "no_list", empty: boolean, } | { "kind": "wall", wall: WallKind, reason: string, evidence: Array<string>, } | { "kind": "dead", reason: string, } | { "kind": "page_gone", status: number | null, } | { "kind": "not_before", at: number, };

export type Price = { amount: number, upper: number | null, 
/**
 * ISO 4217.
 */
currency: string | null, period: PricePeriod | null, kind: PriceKind | null, };

export type PriceKind = "cold" | "warm";

export type PricePeriod = "day" | "week" | "month" | "year";

export type PriceStep = { at: number, amount: number, };

export type QuietHours = { from_minute: number, to_minute: number, 
/**
 * IANA name.
 */
zone: string, };

export type Reader = "auto" | "plain" | "browser";

export type Remark = { code: string, args: { [key in string]: string }, };

export type Retry = { "kind": "none" } | { "kind": "ready" } | { "kind": "free" } | { "kind": "locked", until: number, why: LockWhy, } | { "kind": "busy" };

export type RowState = { "kind": "queued" } | { "kind": "checking", since: number, } | { "kind": "ok", listings: number, checked_at: number, next_at: number, } | { "kind": "empty", checked_at: number, next_at: number, } | { "kind": "suspicious", recognised: number, before: number, next_at: number, } | { "kind": "blocked", wall: WallKind, turn: Turn, retry_at: number, } | { "kind": "probing", host: string, since: number, turn: Turn, } | { "kind": "needs_you", reason: string, turn: Turn, retry_at: number, } | { "kind": "first_error", reason: string, next_at: number, } | { "kind": "error_waiting", reason: string, turn: Turn, retry_at: number, } | { "kind": "offline", since: number, } | { "kind": "page_gone", status: number | null, since: number, next_at: number, } | { "kind": "paused" } | { "kind": "stopped" };

export type SearchRow = { id: number, name: string, url: string, host: string, position: number, enabled: boolean, muted: boolean, unread: number, filters: Filters, alerts: AlertChoices, interval_ms: number, 
/**
 * The range really used, jitter and stretching included.
 */
interval_used_ms: [number, number], 
/**
 * Too many searches on one site: the interval is stretched, and the row says so.
 */
stretched: boolean, reader: Reader, 
/**
 * Newest last; at most 40.
 */
checks: Array<CheckMark>, state: RowState, retry: Retry, 
/**
 * Last answer that was not a refusal or an error.
 */
last_answer_at: number | null, 
/**
 * Listings on the page at the last answer.
 */
last_listings: number | null, 
/**
 * A remark that changes nothing: the extractor found something odd (`page_<code>`).
 */
remark: Remark | null, };

export type SeenBefore = { at: number, amount: number | null, };

export type Settings = { 
/**
 * `None` follows the system.
 */
language: Language | null, theme: Theme, photos: boolean, single_letter_keys: boolean, start_with_system: boolean, close_to_tray: boolean, desktop_notifications: boolean, 
/**
 * Hours without an answer before a search says that it is blind.
 */
blind_after_hours: number, daily_mail_cap: number, mail_photo: boolean, 
/**
 * Quiet hours that a new search starts with.
 */
quiet: QuietHours | null, 
/**
 * The app answers programs on this computer; `knock serve` always does.
 */
local_api: boolean, 
/**
 * Where, on 127.0.0.1.
 */
local_api_port: number, };

export type StatusEvent = { "kind": "snapshot", board: Board, } | { "kind": "changed", app: AppStatus, rows: Array<SearchRow>, hosts: Array<HostCard>, removed_rows: Array<number>, removed_hosts: Array<string>, facts: BoardFacts, };

export type StopWhy = "user" | "disk_full" | "read_only";

export type Switch = { id: number, on: boolean, };

export type TestResult = { "kind": "accepted", by: string, words: string, } | { "kind": "refused", hint: string | null, words: string, } | { "kind": "unknown", words: string, };

export type Theme = "system" | "light" | "dark";

export type Turn = "first" | "waits";

export type WallKind = "challenge" | "rate_limited" | "denied" | "error";

export type WouldShow = { of: number, 
/**
 * One per listing, in the order asked.
 */
shown: Array<boolean>, 
/**
 * `too_dear`, `too_cheap`, `too_small`, `too_few_rooms`, `no_wanted_word`, `excluded_word`,
 * `already_let`: most first.
 */
hidden: Array<HiddenCount>, };

export type WouldShowQuery = { filters: Filters, listings: Array<PreviewListing>, };

export interface Commands {
  get_board: { args: Nothing; reply: Board };
  get_about: { args: Nothing; reply: About };
  preview: { args: Pasted; reply: Preview };
  would_show: { args: WouldShowQuery; reply: WouldShow };
  add_search: { args: NewSearch; reply: ById };
  edit_search: { args: EditSearch; reply: Nothing };
  delete_search: { args: ById; reply: Nothing };
  set_enabled: { args: Switch; reply: Nothing };
  set_muted: { args: Switch; reply: Nothing };
  retry_now: { args: ById; reply: Nothing };
  check_now: { args: ById; reply: Nothing };
  send_current: { args: ById; reply: Nothing };
  start: { args: Nothing; reply: Nothing };
  stop: { args: Nothing; reply: Nothing };
  clear_session: { args: ByHost; reply: Nothing };
  list_listings: { args: ListingQuery; reply: ListingPage };
  mark_listing: { args: MarkListing; reply: Nothing };
  mark_all_read: { args: Nothing; reply: Nothing };
  dismiss_away: { args: Nothing; reply: Nothing };
  insight: { args: InsightQuery; reply: Insight };
  list_deliveries: { args: Nothing; reply: Array<DeliveryRow> };
  send_again: { args: ById; reply: Nothing };
  get_settings: { args: Nothing; reply: Settings };
  put_settings: { args: Settings; reply: Nothing };
  guess_mail: { args: MailAddress; reply: MailGuess };
  get_mail: { args: Nothing; reply: MailAccountShown | null };
  put_mail: { args: MailAccount; reply: Nothing };
  forget_mail: { args: Nothing; reply: Nothing };
  test_mail: { args: MailAccount; reply: TestResult };
  list_channels: { args: Nothing; reply: Array<ChannelShown> };
  put_channel: { args: ChannelWish; reply: Nothing };
  remove_channel: { args: ByName; reply: Nothing };
  test_channel: { args: ByName; reply: TestResult };
  get_data: { args: Nothing; reply: DataFacts };
  back_up: { args: Nothing; reply: BackupShown };
  restore: { args: ByName; reply: Nothing };
  export: { args: ExportQuery; reply: ExportedFile };
  import_searches: { args: ImportText; reply: Array<ImportLine> };
  get_api: { args: Nothing; reply: ApiShown };
  add_client: { args: NewClient; reply: MadeClient };
  edit_client: { args: EditClient; reply: Nothing };
  revoke_client: { args: ById; reply: Nothing };
  let_client_in: { args: ById; reply: Nothing };
}
