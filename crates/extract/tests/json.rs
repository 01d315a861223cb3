//! The reader of embedded data: every way of writing it, cut short, and grown absurd.

use firstknock_extract::json::{
    self, AttributeText, Blobs, RecordSet, ScriptText, answer, blobs, read, record_sets, revive,
};
use firstknock_extract::values::Country;
use serde_json::{Value, json};

fn value(text: &str) -> Value {
    read(text).expect("a literal").value
}

fn script<'a>(kind: &'a str, id: &'a str, text: &'a str) -> ScriptText<'a> {
    ScriptText { kind, id, text }
}

fn page(scripts: &[ScriptText<'_>]) -> Blobs {
    blobs(scripts.iter().copied(), [])
}

fn best(found: &Blobs) -> RecordSet {
    let sets = record_sets(&found.found, Country::parse("nl"));
    sets.into_iter().next().expect("a set of records")
}

/// Homes of no real street, in the shape that a test asks for.
fn homes(count: usize, one: impl Fn(usize) -> Value) -> Vec<Value> {
    (1..=count).map(one).collect()
}

fn plain(i: usize) -> Value {
    json!({
        "id": 9_000 + i,
        "url": format!("/te-huur/woning-{}", 9_000 + i),
        "title": format!("Flat at number {i}"),
        "price": 900 + i,
        "livingArea": 40 + i,
        "rooms": 2,
        "image": format!("https://img.example/{i}.jpg"),
    })
}

#[test]
fn literals_of_scripts_are_read_as_the_values_they_are() {
    let cases = [
        (r#"{"a":1,"b":[true,null]}"#, json!({"a": 1, "b": [true, null]})),
        ("{a: 'x', \"b\": 2, c: 3,}", json!({"a": "x", "b": 2, "c": 3})),
        ("[1, 2, /* three */ 3, // four\n 4,]", json!([1, 2, 3, 4])),
        (
            "[!0, !1, !'', void 0, undefined, NaN, -Infinity]",
            json!([true, false, true, null, null, null, null]),
        ),
        ("[new Date('2026-01-02'), new Date(5), Date()]", json!(["2026-01-02", 5, null])),
        ("[.5, -2, 1e3, 0x1f, 12n]", json!([0.5, -2, 1000.0, 31, 12.0])),
        (r"['it\'s', '\u00e9', '\ud83d\ude00', '\x41', `t`]", json!(["it's", "é", "😀", "A", "t"])),
        ("<!-- {\"a\": 1} -->", json!({"a": 1})),
        ("//<![CDATA[\n{a: 1}\n//]]>", json!({"a": 1})),
        ("(function(a, b) { return {x: a, y: [b, b]} })('p', 7)", json!({"x": "p", "y": [7, 7]})),
        ("(function(a,b){return {x:a,y:b}}(1,\"}\"))", json!({"x": 1, "y": "}"})),
        ("{a: function(){ return 1 }, b: 2}", json!({"a": null, "b": 2})),
        (
            "{data: JSON.parse(\"{\\\"n\\\": [1]}\"), m: Some.thing}",
            json!({"data": {"n": [1]}, "m": null}),
        ),
        ("{'a-b': {\"c\": 'd'}, [\"e\"]: 1, f$: 2}", json!({"a-b": {"c": "d"}, "e": 1, "f$": 2})),
    ];
    for (text, want) in cases {
        assert_eq!(value(text), want, "{text}");
        assert!(!read(text).expect("a literal").cut, "{text}");
    }
}

#[test]
fn a_blob_that_is_cut_short_gives_what_was_read_up_to_the_cut() {
    let whole = json!({"list": homes(5, plain)}).to_string();
    let mut last = 0;
    for end in (0..whole.len()).filter(|i| whole.is_char_boundary(*i)) {
        let Some(read) = read(&whole[..end]) else { continue };
        let seen = read.value["list"].as_array().map_or(0, Vec::len);
        assert!(read.cut && seen >= last, "cut at {end}");
        last = seen;
    }
    assert_eq!(last, 5, "the last of them is partly there");
}

#[test]
fn expressions_end_the_reading_without_a_guess() {
    for text in ["{a: 1 + 2, b: 3}", "{a: x => x}", "{a: b ? c : d}", "{get a() {}}"] {
        let read = read(text).expect("what stands before it");
        assert!(read.cut, "{text}");
        assert_eq!(read.value.get("b"), None, "{text}");
    }
    assert_eq!(read("var x").map(|r| r.value), Some(Value::Null));
    assert_eq!(read(""), None);
    assert_eq!(read(";"), None);
}

#[test]
fn depth_and_size_are_bounded() {
    for text in
        ["[".repeat(200_000), "{a:".repeat(100_000), "(".repeat(100_000), "!".repeat(100_000)]
    {
        let _: Option<json::Read> = read(&text);
    }
    let many = format!("[{}", "{\"a\":1},".repeat(700_000));
    let read = read(&many).expect("a list");
    assert!(read.cut && read.value.as_array().is_some_and(|a| a.len() > 1_000));
    let functions = format!("x = {}", "(function(){".repeat(20_000));
    let found = page(&[script("", "", &format!("price {functions}"))]);
    assert!(found.found.is_empty());
}

#[test]
fn devalue_is_revived_with_its_references_and_without_endless_loops() {
    let flat = json!([
        ["ShallowReactive", 1],
        {"list": 2, "self": 0, "when": 6, "none": -1},
        [3, 3],
        {"id": 4, "price": 5},
        "a1",
        950,
        ["Date", "2026-01-01"]
    ]);
    let home = json!({"id": "a1", "price": 950});
    let want = json!({"list": [home, home], "self": null, "when": "2026-01-01", "none": null});
    assert_eq!(revive(&flat), Some(want));
    for other in [json!([1, 2, 3]), json!([{"id": "x"}, 2]), json!({"a": 1}), json!([])] {
        assert_eq!(revive(&other), None, "{other}");
    }
}

#[test]
fn flight_rows_are_read_across_chunks_and_lengths_in_bytes() {
    let ld =
        json!({"@type": "ItemList", "name": "é", "itemListElement": [1, 2, 3, 4, 5, 6, 7, 8, 9]})
            .to_string();
    let text = format!(
        "0:{}\n1:I[12,[],\"\"]\n2:T{:x},{ld}3:[\"$\",\"div\",null,{{\"children\":\"a line that is long enough to count\"}}]\n",
        json!({"homes": homes(2, plain)}),
        ld.len()
    );
    let rows = json::flight_rows(&text);
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0]["homes"][1]["id"], 9002);
    assert_eq!(rows[1]["@type"], "ItemList");
}

#[test]
fn data_is_found_in_every_kind_of_script() {
    let list = Value::Array(homes(6, plain)).to_string();
    let state = format!("{{\"search\":{{\"results\":{list}}}}}");
    let quoted = Value::String(state.clone()).to_string();
    let wrapped = format!("window.__N__=(function(a){{return {{list:{list},x:a}}}}(\"q\"));");
    let flight: String = {
        let row = format!("5:{state}\n");
        let (one, two) = row.split_at(row.len() / 2);
        [one, two]
            .iter()
            .map(|half| format!("self.__next_f.push([1,{}])\n", Value::String((*half).to_owned())))
            .collect()
    };
    let cases = [
        ("application/json", "__DATA__", state.clone()),
        ("application/json", "", format!("<!--{state}-->")),
        ("", "", format!("var other = 1; window.__STATE__ = {state}; go();")),
        ("text/javascript", "", format!("window.__STATE__ = {quoted};")),
        ("", "", format!("window.x=JSON.parse({quoted})")),
        ("", "", format!("(function(){{ window.y = {state}; }})()")),
        ("", "", wrapped),
        ("", "", flight),
        ("", "", format!("app.mount({{el: '#app', data: {state}}})")),
    ];
    for (kind, id, text) in &cases {
        let found = page(&[script(kind, id, text)]);
        assert!(!found.found.is_empty(), "{text:.80}");
        let set = best(&found);
        assert_eq!(set.records.len(), 6, "{text:.80}");
        assert_eq!(set.records[0].url.as_deref(), Some("/te-huur/woning-9001"));
        assert_eq!(set.records[5].price.as_ref().map(|p| p.cents), Some(90_600));
    }
    // A script of another kind, and one without any word for a price, is not read.
    let other = page(&[script("text/x-template", "", &state), script("", "", "var a = {b: [1]}")]);
    assert_eq!(other.found, []);
}

#[test]
fn a_script_that_was_cut_with_its_page_is_counted_as_broken_and_still_read() {
    let state = json!({"results": homes(6, plain)}).to_string();
    let cut = format!("window.__STATE__ = {}", &state[..state.len() - 60]);
    let found = page(&[script("", "", &cut)]);
    assert_eq!(found.broken, 1);
    assert!(best(&found).records.len() >= 5);
}

#[test]
fn attributes_of_the_same_name_are_one_list_and_keep_their_elements() {
    let texts: Vec<String> = homes(3, plain).iter().map(Value::to_string).collect();
    let attributes = texts.iter().enumerate().map(|(i, text)| AttributeText {
        element: "home-card",
        name: ":object",
        text,
        node: 10 + u32::try_from(i).expect("a small number"),
    });
    let set = best(&blobs([], attributes));
    let nodes: Vec<_> = set.records.iter().map(|r| r.node).collect();
    assert_eq!(nodes, [Some(10), Some(11), Some(12)]);
    let code = AttributeText {
        element: "div",
        name: "class",
        text: "[&>svg]:h-full price [&>svg]:w-full and more",
        node: 1,
    };
    assert_eq!(blobs([], [code]), Blobs::default());
}

#[test]
fn fields_are_found_by_their_keys_in_many_languages_and_shapes() {
    type Shape = (&'static str, fn(usize) -> Value);
    let shapes: [Shape; 6] = [
        ("nl", |i| {
            json!({"objectId": 7_100 + i, "link": format!("/huur/{}/x", 7_100 + i), "naam": format!("Kade nummer {i}"),
            "huurprijs": format!("€ 1.{i}50,- p/m"), "woonoppervlakte": format!("{} m²", 60 + i), "aantalKamers": "3", "plaats": "Dorp"})
        }),
        ("de", |i| {
            json!({"uuid": format!("ab-{i}"), "url": format!("https://a.example/{i}"), "titel": format!("Helle Wohnung {i}"),
            "kaltmiete": 1150.0 + 10.0 * f64::from(u32::try_from(i).unwrap_or(0)), "wohnflaeche": 60 + i, "zimmer": 3, "ort": "Dorf"})
        }),
        ("fr", |i| {
            json!({"list_id": 88_000 + i, "url": format!("/locations/{}.htm", 88_000 + i), "subject": format!("Appartement clair {i}"),
            "price": [1050 + 10 * i], "attributes": [{"key": "square", "value": "x"}, {"key": "rooms", "value": "3"}, {"key": "surface", "value": (60 + i).to_string()}], "ville": "Bourg"})
        }),
        ("at", |i| {
            json!({"id": (400 + i).to_string(), "contextLinkList": {"contextLink": [{"uri": format!("/iad/{}/", 400 + i)}]},
            "attributes": {"attribute": [{"name": "HEADING", "values": [format!("Schöne Wohnung {i}")]}, {"name": "PRICE", "values": [(1_150 + i).to_string()]},
            {"name": "LIVING_AREA", "values": [(60 + i).to_string()]}, {"name": "NUMBER_OF_ROOMS", "values": ["3"]}, {"name": "LOCATION", "values": ["Dorf"]}]}})
        }),
        ("ld", |i| {
            json!({"@type": "ListItem", "position": i, "item": {"@type": "Apartment", "name": format!("Bright flat {i}"), "url": format!("https://a.example/f/{i}"),
            "offers": {"@type": "Offer", "price": format!("{}", 1_150 + i), "priceCurrency": "EUR"}, "floorSize": {"value": 60 + i, "unitCode": "MTK"},
            "numberOfRooms": 3, "address": {"streetAddress": format!("Kade {i}"), "addressLocality": "Dorp", "postalCode": "1234 AB"}}})
        }),
        ("node", |i| {
            json!({"node": {"listing": {"id": format!("L{i}"), "slug": format!("bright-flat-{i}"), "headline": format!("Bright flat {i}"),
            "pricing": {"rent": {"amount": 1_150 + i, "currency": "EUR"}}, "characteristics": {"livingSpace": 60 + i, "numberOfRooms": 3}, "deposit": 9_999, "city": "Dorp"}}})
        }),
    ];
    for (name, one) in shapes {
        let text = json!({"results": homes(5, one)}).to_string();
        let sets = answer(&text, None).expect("an answer");
        let set = sets.first().unwrap_or_else(|| panic!("{name}: no set"));
        assert_eq!(set.records.len(), 5, "{name}");
        for (i, record) in set.records.iter().enumerate() {
            let cents = record.price.as_ref().map_or(0, |p| p.cents);
            assert!((105_000..160_000).contains(&cents), "{name}: {cents}");
            assert!(record.url.is_some() && record.title.is_some(), "{name}: {record:?}");
            assert_eq!(
                record.size.map(|s| s.m2()),
                Some(61.0 + f64::from(u32::try_from(i).unwrap_or(0))),
                "{name}"
            );
            assert_eq!(record.rooms.map(|r| r.count()), Some(3.0), "{name}");
            assert!(record.address.is_some(), "{name}");
            assert!(record.evidence.iter().any(|(field, _, _)| *field == "price"), "{name}");
        }
    }
}

#[test]
fn maps_of_objects_are_lists_too() {
    let mut cache = serde_json::Map::new();
    for i in 1..=4 {
        cache.insert(format!("Listing:{i}"), plain(i));
        cache.insert(format!("Agent:{i}"), json!({"name": format!("Agent number {i}")}));
    }
    let text = json!({"ROOT_QUERY": {"a": 1}, "cache": cache}).to_string();
    let set = answer(&text, None).expect("an answer").into_iter().next().expect("a set");
    assert_eq!(set.records.len(), 4);
    assert!(set.place.contains("Listing"), "{}", set.place);
}

#[test]
fn a_list_of_anything_else_is_no_list_of_homes() {
    let texts = [
        json!({"filters": [{"id": 1, "name": "Price up to"}, {"id": 2, "name": "More"}]}),
        json!({"plans": [{"name": "a"}, {"name": "b"}], "price": 5}),
        json!({"List": [], "EmptyListItem": {"Id": "0", "Price": 0, "Date": "1900-01-01"}}),
        json!([1, 2, 3]),
        json!("text"),
    ];
    for text in texts {
        assert_eq!(answer(&text.to_string(), None).unwrap_or_default(), [], "{text}");
    }
    assert_eq!(answer("<html></html>", None), None);
}

#[test]
fn a_deposit_or_an_old_price_is_not_the_price() {
    let one = |i: usize| json!({"id": i, "url": format!("/w/{i}"), "deposit": 5_000, "oldPrice": 4_000, "serviceCosts": 70, "rent": 1_000 + i});
    let set = answer(&json!(homes(4, one)).to_string(), None).expect("an answer").remove(0);
    assert_eq!(set.records[0].price.as_ref().map(|p| p.cents), Some(100_100));
}

#[test]
fn ten_megabytes_of_data_end_in_a_bounded_answer() {
    let text = format!("window.a = {{price: {}", json!(homes(60_000, plain)));
    let found = page(&[script("", "", &text)]);
    let sets = record_sets(&found.found, None);
    assert!(text.len() > 8 << 20 && sets.iter().all(|s| s.records.len() <= 2_000));
}

#[test]
fn what_a_cache_keeps_once_is_read_where_it_is_named() {
    let mut cache = serde_json::Map::new();
    for i in 1..=4 {
        cache.insert(
            format!("Home:{i}"),
            json!({
                "id": 7_000 + i,
                "path": format!("/flat/{}", 7_000 + i),
                "rent": { "__ref": format!("Money:{i}") },
                "cover": { "__ref": format!("Photo:{i}") },
            }),
        );
        cache.insert(format!("Money:{i}"), json!({ "amount": 900 + i, "currency": "GBP" }));
        let url = format!("https://img.example/{i}.jpg");
        cache.insert(format!("Photo:{i}"), json!({ "url": url, "next": { "__ref": "Photo:1" } }));
    }
    cache.insert("Photo:1".into(), json!({ "url": "https://img.example/1.jpg" }));
    let text = format!("window.__CACHE__ = {};", Value::Object(cache));
    let set = best(&page(&[script("", "", &text)]));
    assert_eq!(set.records.len(), 4);
    let first = &set.records[0];
    let price = first.price.as_ref().expect("a rent");
    assert_eq!(
        (price.cents, price.currency.map(|c| c.code().to_owned())),
        (90_100, Some("GBP".into()))
    );
    assert_eq!(first.image.as_deref(), Some("https://img.example/1.jpg"));
}

#[test]
fn of_the_rent_with_and_without_extras_the_one_without_is_the_price() {
    let text = json!(homes(3, |i| json!({
        "id": 9_000 + i,
        "url": format!("/flat/{}", 9_000 + i),
        "rent_gross": 1_200 + i,
        "rent_net": 1_000 + i,
        "surface_living": 50,
    })))
    .to_string();
    let sets = answer(&text, None).expect("an answer");
    let price = sets[0].records[0].price.as_ref().expect("a rent");
    assert_eq!((price.cents, price.kind), (100_100, Some(firstknock_listing::RentKind::Cold)));
}

#[test]
fn properties_that_are_pairs_of_type_and_value_are_read_as_the_values() {
    let home = |i: usize| {
        json!([0, {
            "id": [0, 9_000 + i],
            "url": [0, format!("/flat/{}", 9_000 + i)],
            "nettokaltmiete": [0, 900 + i],
            "gesamtmiete": [0, 1_100 + i],
            "wohnflaeche": [0, 50],
            "titelbild": [0, format!("/bilder/{i}.jpg")],
        }])
    };
    let props = json!({ "homes": [1, homes(3, home)], "total": [0, 3] }).to_string();
    let attribute = AttributeText { element: "x-island", name: "props", text: &props, node: 4 };
    let found = blobs([], [attribute]);
    let set = best(&found);
    let first = &set.records[0];
    assert_eq!(set.records.len(), 3);
    assert_eq!(first.price.as_ref().map(|p| p.cents), Some(90_100));
    assert_eq!(first.image.as_deref(), Some("/bilder/1.jpg"));
    // Lists of two plain numbers are what they are.
    let plain = json!({ "range": [0, 9], "price": [1, 2] });
    let text = format!("{}", json!({ "a": plain, "price": "padding so that it is long enough" }));
    let attribute = AttributeText { element: "x-island", name: "props", text: &text, node: 4 };
    assert_eq!(blobs([], [attribute]).found[0].value["a"]["range"], json!([0, 9]));
}
