//! The words in keys, in ten languages. They are about homes, never about one site.
//!
//! `word*` is a beginning, `~word` an end (German and Dutch build compounds).

use std::sync::LazyLock;

use super::vocabulary::Meaning;

/// Words that say it, and words that say that it is something else.
pub(crate) struct Words {
    pub(crate) good: Vec<&'static str>,
    pub(crate) bad: Vec<&'static str>,
}

/// The words of a meaning.
pub(crate) fn words(meaning: Meaning) -> &'static Words {
    static ALL: LazyLock<Vec<Words>> = LazyLock::new(|| {
        let split = |text: &'static str| text.split_whitespace().collect();
        TABLE.iter().map(|(_, good, bad)| Words { good: split(good), bad: split(bad) }).collect()
    });
    let at =
        TABLE.iter().position(|(m, _, _)| *m == meaning).expect("BUG: every meaning has words");
    &ALL[at]
}

const TABLE: [(Meaning, &str, &str); 14] = [
    (
        Meaning::Id,
        "id uuid guid objectid listingid propertyid adid advertid zpid sku key pk \
         number reference ref objectnumber",
        "agent agency user owner seller city category region image photo type company \
         broker parent house phone client area location district",
    ),
    (
        Meaning::Url,
        "url href link slug path permalink uri canonical detailurl seo",
        "image* photo* picture* img thumb* logo agent* agency api share contact tour \
         virtual floorplan* map broker seller user avatar video media",
    ),
    (
        Meaning::Title,
        "title name headline titel titre titulo título heading subject label naam nome \
         rubrik tytuł",
        "agent* agency company broker* seller* owner user image* photo* city category \
         type district region country currency contact brand file @* offeredby office",
    ),
    (
        Meaning::Price,
        "price* preis* kaufpreis prijs* prix precio* prezzo* preco preço cena pris rent \
         rental rentprice ~miete kaltmiete warmmiete gesamtmiete nettomiete huur \
         huurprijs koopprijs loyer hyra leie husleje canone alquiler renda amount \
         baserent totalrent czynsz",
        "deposit kaution borg caution service* old previous original reduc* drop \
         discount perm2 per sqm squaremeter meter m2 qm fee* agent* history count id \
         type currency range filter* hide* is has date changed tax extra additional \
         sort number interval nebenkosten heating",
    ),
    (Meaning::Currency, "currency* währung valuta devise moneda", ""),
    (
        Meaning::Size,
        "size area surface* groesse größe qm ~oppervlakte ~fläche ~flaeche ~areal sqm \
         sqft m2 living* livingspace livingarea wohnflaeche wohnfläche flaeche fläche \
         floorsize floorspace floor oppervlakte woonoppervlakte superfic* yta boarea \
         areal bruksareal metraż metraz powierzchnia mq squaremeters space m",
        "plot lot land grund* perceel* garden max image* thumb* photo* picture* media sizes icon font id \
         name city region code price level number floors terrain plan* service unit \
         unitcode",
    ),
    (
        Meaning::Rooms,
        "rooms room numberofrooms zimmer ~zimmer ~kamers zimmeranzahl anzahlzimmer \
         kamers pieces pièces rum locali vani pokoje pokoi værelser roomcount antalrum \
         nbrooms rooms_buckets",
        "bath* bed* photo* type id image* shower slaap* schlaf* mate* half living bad* \
         toilet*",
    ),
    (
        Meaning::Bedrooms,
        "bedrooms bedroom ~slaapkamers ~schlafzimmer beds bed numberofbedrooms \
         slaapkamers schlafzimmer habitaciones dormitorios quartos chambres soverom \
         sovrum camere",
        "bath* id type label image*",
    ),
    (
        Meaning::Image,
        "image* immagin* img photo* picture* foto* thumb* bild* ~bild ~foto media cover src afbeelding \
         zdjęcie primaryimage contenturl",
        "logo agent* agency avatar icon* broker* seller* user count floorplan* company \
         alt caption provider* map",
    ),
    (
        Meaning::Address,
        "address adres adresse adress location displayaddress formatted* indirizzo \
         direccion ubicacion morada adresa standort",
        "email mail ip agent* agency broker* id lat* lon* lng url country* seller* web \
         type @*",
    ),
    (
        Meaning::Street,
        "street* straat* straße strasse streetaddress gata gatuadress rue calle via \
         ulica vej streetname",
        "agent* agency broker* id view seller*",
    ),
    (
        Meaning::City,
        "city* town locality addresslocality plaats ort stad woonplaats ville \
         municipality place stadt gemeente ciudad comune citta cidade miasto kommune by",
        "id agent* agency slug code url broker* seller* type @*",
    ),
    (
        Meaning::Postcode,
        "zip* postcode postalcode plz postal postleitzahl postnummer cap codepostal",
        "agent* agency broker* seller*",
    ),
    (
        Meaning::Available,
        "available* availability availablefrom beschikbaar* verfügbar* verfuegbar* \
         bezugsfrei movein* moving disponible disponibilita tillträde inflyttning entry",
        "is has schema count offers",
    ),
];
