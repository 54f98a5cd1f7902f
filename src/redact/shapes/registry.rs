//! Tokens of package and image registries and of clusters that nodes join.

use super::shape::Part::{Run, Text};
use super::shape::Shape;
use crate::redact::lex::class::{ALNUM, BASE64URL, BASE64URL_DOT, LOWER_ALNUM, LOWER_HEX};
use crate::redact::value::entropy::is_varied_with_digit;

#[rustfmt::skip] // A table reads by the row.
pub(crate) const SHAPES: &[Shape] = &[
    Shape::new("npm", "npm_", &[Run(ALNUM, 24)], &["gRlJW0z1O8g76FgiGYM6BWmrVyebXfOAkGMT"], &["package_version", "config_registry"]),
    Shape::new("pypi", "pypi-AgE", &[Run(BASE64URL, 40)], &["V3JWOWdRrToL7bfqyxN6cBnH56UF9tjXTi8Z-I_3"], &[""]),
    Shape::new("crates-io", "cio", &[Run(ALNUM, 32)], &["AanUmin4fsq5VuKURW8v6K3jeA7QIxZP"], &["_callback_handler_for_io_uring_completion"]).only_if(is_varied_with_digit),
    Shape::new("rubygems", "rubygems_", &[Run(LOWER_HEX, 40)], &["cb3761f354e0b038e53fdc297847bcc7e89d70d9"], &[]),
    Shape::new("nuget", "oy2", &[Run(LOWER_ALNUM, 40)], &["0w1lgbjuej2f52809anmo3t9dqpll11n03iy04hm"], &[]),
    Shape::new("docker-personal", "dckr_pat_", &[Run(BASE64URL, 24)], &["PaDcGxGA2sxKP6W0Zu4_35rO"], &[]),
    Shape::new("docker-organization", "dckr_oat_", &[Run(BASE64URL, 24)], &["YfU34H9exf1AENl4tumcetyF"], &[]),
    Shape::new("artifactory", "AKCp", &[Run(ALNUM, 60)], &["t14W7oLDaOp5eE5PBCUufDdLSKy41SQO50ysDeQLp5I0ycp2GKiwkqMlaOfR"], &[]),
    Shape::new("artifactory-reference", "cmVmd", &[Run(ALNUM, 50)], &["AePAiYWR9V7aRv93QFRWhNJRM8LgANMEnJ6wfSGjfeTpAinoKI"], &[]),
    Shape::new("clojars", "CLOJARS_", &[Run(LOWER_ALNUM, 60)], &["ttunecj0gqebl180vhelnqtl23b9lfwzi1x10o7rtinms8wv6lntpdrgz69e"], &[]),
    Shape::new("jsr", "jsrt_", &[Run(ALNUM, 32)], &["Jq4WoJfd1ndxDikLvsVvD5CCWYkrWq17"], &[]),
    Shape::new("jsr-device", "jsrd_", &[Run(ALNUM, 32)], &["4stC1koL0WcN76qNZJLMkC481WvHWKGu"], &[]),
    Shape::new("packagist", "packagist_", &[Run(ALNUM, 32)], &["u5PAidXVo76QVxEHlylmVfdXLcH6l932"], &[]),
    Shape::new("packagist-organization", "packagist_ort_", &[Run(ALNUM, 32)], &["ZkG2IQQxkmG363omkLblv0z4gsRhtBzx"], &[]),
    Shape::new("deno-personal", "ddp_", &[Run(ALNUM, 32)], &["dMOzqht6pBywKj8nRSpG6pxdM2iCfXdn"], &[]),
    Shape::new("deno-organization", "ddo_", &[Run(ALNUM, 32)], &["HeGf8qZwJHiCh8IOObei8Rs9fgeN60hM"], &[]),
    Shape::new("docker-swarm", "SWMTKN-1-", &[Run(BASE64URL, 50)], &["i7cPmwK0m_YDv1zFEQaX9iUzVSA7F_3L7czrtJmB9_jvbjv0UB"], &[]),
    Shape::new("openshift", "sha256~", &[Run(BASE64URL, 40)], &["whWKG9TMVTE7VVlwMoOrbGrK9S97uMvlWkA8cc86"], &["abc"]),
    Shape::new("k3s", "K10", &[Run(LOWER_HEX, 40), Text("::"), Run(BASE64URL_DOT, 6), Text(":"), Run(ALNUM, 16)], &["f28ee4a4b527ab7208f6844d144dd20f4632d981::7r3xmn:VHYgNUnYAZOr8939"], &[]),
];
