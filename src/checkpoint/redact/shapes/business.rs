//! Tokens of the other services that teams work with.

use super::super::class::{
    ALNUM, BASE64URL, BASE64URL_DOT, Class, DIGIT, LOWER_ALNUM, LOWER_HEX, UPPER_ALNUM, UUID,
};
use super::super::entropy::{has_long_run, is_varied_with_digit};
use super::super::shape::Part::{Exactly, Run, Text};
use super::super::shape::Shape;

/// Base64 as it looks in a URL or a cookie.
const PERCENT_ENCODED: Class = Class::of("A-Za-z0-9%+/=_-");

#[rustfmt::skip] // A table reads by the row.
pub(super) const SHAPES: &[Shape] = &[
    Shape::new("linear-api", "lin_api_", &[Run(ALNUM, 32)], &["rd7VOZUTX0f1MnMwy2x6MBN8Pe37xH9D"], &[]),
    Shape::new("linear-oauth", "lin_oauth_", &[Run(ALNUM, 32)], &["gXJLltVGwF4fWQOekgLjLdQC1VluFenM"], &[]),
    Shape::new("notion", "ntn_", &[Run(ALNUM, 40)], &["fA0iNWHbOweelAkZWXzTEMDxfhAyx6FOVDBfEtcr"], &[]),
    Shape::new("notion-older", "secret_", &[Run(ALNUM, 40)], &["N666X3a6RjAOt0wHCqLNdlPMqL5zIGoqPFXZgjXw"], &["scanning_is_on"]).only_if(is_varied_with_digit),
    Shape::new("figma", "figd_", &[Run(BASE64URL, 32)], &["k54QguyW1FmSs8sktZ1_gGIsb0Ht90w6"], &[]),
    Shape::new("figma-refresh", "figdr_", &[Run(BASE64URL, 32)], &["Qd2LgTyFFVM0M5wTEfSdKRAuZOVJxYO6"], &[]),
    Shape::new("postman", "PMAK-", &[Run(BASE64URL, 50)], &["OrRx54r7n9Rkfl6M6gnpIvmYoE8h3UzMnJDZQ4MFa-nnY8Qcvb"], &[]),
    Shape::new("contentful", "CFPAT-", &[Run(BASE64URL, 40)], &["ZbPi-NAWD67LfuCc646NTMuTALjPfVu87UdEkpUG"], &[]),
    Shape::new("mapbox-secret", "sk.eyJ", &[Run(BASE64URL_DOT, 60)], &["VIpPQpdlhzywp0RKbuctDVuKpoCrTrObqlfmxmywFzUzQkyWZK2DD1nWa5j9"], &[]),
    Shape::new("mapbox-temporary", "tk.eyJ", &[Run(BASE64URL_DOT, 60)], &["7u3LCXNNho4LRhmrXRaqqEYwnPuICp15B8TCMcrkv1Eg6cwmMQFaK3wPk3EE"], &[]),
    Shape::new("hubspot-na1", "pat-na1-", &[Run(UUID, 36)], &["9bf29330-e620-401e-a0a2-7d48eb242125"], &[]),
    Shape::new("hubspot-na2", "pat-na2-", &[Run(UUID, 36)], &["5e208e53-559f-4bb4-aa80-8a54a2bd8124"], &[]),
    Shape::new("hubspot-eu1", "pat-eu1-", &[Run(UUID, 36)], &["09fdb49c-cb1e-4331-a0a4-6cfc9a010a9f"], &[]),
    Shape::new("facebook", "EAA", &[Run(ALNUM, 80)], &["jOa2PyDkD1uqZ3o5v40GT4bLQoXghMZNYS3RWxy0Jkw8vLLUOcTgR7ei2DjDAxNwhhnfA8xUVacBs3NO"], &[]),
    Shape::new("instagram", "IGQ", &[Run(BASE64URL, 80)], &["ob-0OvKdOaWjxDdDupggaEhMPgqDSzHuRyBYz4-xhP0dKE9nFvAMuVYKHUsbUw729l41mQg_TH0BopTv"], &[]),
    Shape::new("twitter-bearer", "AAAAAAAAAAAAAAAAAAAAA", &[Run(PERCENT_ENCODED, 60)], &["iNelEGMrKaxYYee30CQ5AVEzV7HyyJbaNQNn2se66tQLe2tytVnRnQO3WhCA"], &["AAAAAAAAAAAAAAAAAAAAAAA="]),
    Shape::new("linkedin", "WPL_AP1.", &[Run(BASE64URL_DOT, 16)], &["XM2fUzeNaB22Fe9F"], &[]),
    Shape::new("dropbox", "sl.", &[Run(BASE64URL_DOT, 100)], &["vBFhzuAVhx2uECBD0ZYxhsQqSGJ8xOcw5VVD6uHo6WPqrk2qrZZR0gchZ9JNi8oZ5IiX1vdJF7PxMWU9vQhk4JQWcFA5yXZCQCae"], &["service_name"]),
    Shape::new("typeform", "tfp_", &[Run(BASE64URL, 40)], &["YphzSDa45OP_pXxXQEck5mWdNy5RZ8rXw7lD9s_b"], &[]),
    Shape::new("readme", "rdme_", &[Run(LOWER_ALNUM, 60)], &["380dn1p4jchpl6wcqal80smrzphy4h7db59p3b8ss5edy91g35e016rekjbu"], &[]),
    Shape::new("frameio", "fio-u-", &[Run(BASE64URL, 60)], &["syPdA8QQbajtj8EbQHJzMIuIuNqB7xECsbSwZavTs6VzAvQVqDaBveMu7PrK"], &[]),
    Shape::new("beamer", "b_", &[Run(BASE64URL, 44)], &["iM1hWg3_GPGuEM3kEz42XONp99xv6IMjMSVThe9UsskH"], &[]).only_if(is_varied_with_digit),
    Shape::new("ionic", "ion_", &[Run(ALNUM, 42)], &["wY6YlNbvsynzIFugAdwwXophZQu3Sl7eqt8wV3624h"], &[]),
    Shape::new("adobe-client-secret", "p8e-", &[Run(ALNUM, 32)], &["wrnhnTdPDJie3lGxKx9ptDF79Gb0dWFR"], &[]),
    Shape::new("adafruit", "aio_", &[Run(ALNUM, 28)], &["Hwnl4hPzn5Fo5mNE7bJMfh3wc9KG"], &[]),
    Shape::new("persona", "persona_production_", &[Run(BASE64URL, 20)], &["BXj2cKyQen_8XE9m1zUt"], &[]),
    Shape::new("clerk-machine", "ak_", &[Run(ALNUM, 30)], &["56oRdlVu61fv8qbnRXPMaicdg0jgSY"], &[]).only_if(is_varied_with_digit),
    Shape::new("pubnub-secret", "sec-c-", &[Run(ALNUM, 40)], &["pnhmquDH28MR18sCVJKbKhghWyMMdWsilrunSMIN"], &[]),
    Shape::new("sanity", "sk", &[Run(ALNUM, 80)], &["VZFP9zkL0DH4YOPmI1j76l3ySoUFkRw2v3yeYOeHqu2uU8IPalx2Ioqa2aOEBnlzb9iTW1FvjgjyIm24"], &[]).only_if(is_varied_with_digit),
    Shape::new("canva", "cnvca", &[Run(BASE64URL, 40)], &["s5G98WFfqxwYLx5F53JQJyoeHXBX5qWARPDtiqGa"], &[]),
    Shape::new("coda", "coda_", &[Run(ALNUM, 32)], &["UEnG9crEht0c4Auj4rgSPcMHETMtmcJD"], &[]),
    Shape::new("ubidots", "BBFF-", &[Run(ALNUM, 28)], &["xBgMtBRZOyoL98BEQbN0wCQQ7oh3"], &[]),
    Shape::new("scrapfly", "scp-live-", &[Run(LOWER_HEX, 32)], &["d79a1d295a5ec8e99cba9e3f60f854c5"], &[]),
    Shape::new("apify", "apify_api_", &[Run(ALNUM, 32)], &["ZASI01RGFR0SMtmYFA8vwSblatzocL6t"], &[]),
    Shape::new("browserbase", "bb_live_", &[Run(BASE64URL, 20)], &["Lg90gPKUVapctfdN7mJq"], &[]),
    Shape::new("nango", "nango_", &[Run(ALNUM, 32)], &["MFcJXe4SZ8V8fVtJ8m0g7zbYiyXxSyMO"], &[]),
    Shape::new("workos", "sk_", &[Run(ALNUM, 40)], &["VWt4SgjOR7exmCdUBEoFE925Ci2cItNiJd83TaJn"], &["scheduler_tick"]).only_if(is_varied_with_digit),
    Shape::new("stytch-live", "secret-live-", &[Run(BASE64URL, 36)], &["jJp-yN7BoApHef3Wr0MmBJAeZtBLCfbUJKAs"], &[]),
    Shape::new("stytch-test", "secret-test-", &[Run(BASE64URL, 36)], &["pkCapnz3OYn1PZz2X20_Ts80AKOdpy7mR0by"], &[]),
    Shape::new("trigger-dev", "tr_prod_", &[Run(ALNUM, 20)], &["6bUOM9lN9NB6RjlpeYkd"], &[]),
    Shape::new("trigger-dev-development", "tr_dev_", &[Run(ALNUM, 20)], &["ic24HYY4gerXreqrWJhn"], &[]),
    Shape::new("cal-com", "cal_live_", &[Run(LOWER_HEX, 32)], &["399b8c700c1e901a46f9cf29a35c508d"], &[]),
    Shape::new("close-crm", "api_", &[Run(ALNUM, 40)], &["tRuD911REMcsf23sSm0CQJRX76CNWLWTPGc7mSaZ"], &[]).only_if(is_varied_with_digit),
    Shape::new("airtable-personal", "pat", &[Exactly(ALNUM, 14), Text("."), Run(LOWER_HEX, 60)], &["D4Vi14F2joNIG4.4e8dfa5ab16464776e2b97cb7aa15c27c1f2a8ec9e9bb7aacc837facab23"], &["tern.match"]),
    Shape::new("clickup", "pk_", &[Run(DIGIT, 6), Text("_"), Run(UPPER_ALNUM, 30)], &["661328_39RH8HVC30HTA83ZQ2MZTQ35QFXCSN"], &["test"]),
    Shape::new("asana-personal", "1/", &[Run(DIGIT, 14), Text(":"), Run(LOWER_HEX, 32)], &["71753162000202:1214432d4dafb97f1d74dc50982a7118"], &["2"]),
    Shape::new("asana-personal-v2", "2/", &[Run(DIGIT, 14), Text("/"), Run(DIGIT, 14), Text(":"), Run(LOWER_HEX, 32)], &["11739968390761/14755169580615:1d4c35a5d0d58dd74340671aa958c35d"], &["2"]),
    Shape::new("okta", "00", &[Exactly(BASE64URL, 40)], &["Ng_OzX-9HeUBDuuR8dKSX3kGXbOHITrjboWbX4hS"], &["0000000000000000000000000000000000000000"]).only_if(has_long_run),
];
