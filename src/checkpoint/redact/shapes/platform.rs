//! Tokens of secret stores, networks, monitoring and release tools.

use super::super::class::{
    ALNUM, BASE64, BASE64URL, BASE64URL_DOT, Class, LOWER_ALNUM, LOWER_HEX, UPPER_ALNUM, UUID, WORD,
};
use super::super::entropy::{has_long_run, is_varied_with_digit};
use super::super::shape::Part::{Exactly, Run, Text};
use super::super::shape::Shape;

/// Both Base64 alphabets, which one token may mix.
const ANY_BASE64: Class = Class::of("A-Za-z0-9+/=_-");

#[rustfmt::skip] // A table reads by the row.
pub(super) const SHAPES: &[Shape] = &[
    Shape::new("tailscale-auth", "tskey-", &[Run(BASE64URL, 24)], &["JEJ5gPKHyPjrvzxDW6x0msqX"], &["auth-prefix"]).only_if(has_long_run),
    Shape::new("vault-service", "hvs.", &[Run(BASE64URL, 20)], &["gYrKdqn8szaddMtpdP0E"], &["rs"]),
    Shape::new("vault-batch", "hvb.", &[Run(BASE64URL, 40)], &["th2lRmVeoXDCM_goSKKZVWkXQAGjWb0AEQW8Jx_9"], &[]),
    Shape::new("vault-recovery", "hvr.", &[Run(BASE64URL, 20)], &["rkACT2aQbUwZbSXWYHXY"], &[]),
    Shape::new("vault-service-old", "s.", &[Run(ALNUM, 24)], &["oIYXDdjOn31VscnYipzlkXk0"], &["substring(0, 24)"]).only_if(is_varied_with_digit),
    Shape::new("vault-batch-old", "b.AAAAAQ", &[Run(BASE64URL, 40)], &["7GtyZMkhhtz1TWeM1Rcp8GSNM4Acci5elf8awUCS"], &[]),
    Shape::new("pulumi", "pul-", &[Run(LOWER_HEX, 40)], &["cd654c03399953e5936b8b2e69a5778b144848ab"], &[]),
    Shape::new("doppler-personal", "dp.pt.", &[Run(ALNUM, 40)], &["BDXSSFruQzTM1pp6HGwwWmDLoTDabFktm2vm8Vyf"], &[]),
    Shape::new("doppler-cli", "dp.ct.", &[Run(ALNUM, 40)], &["uUhPDHQWLDAvkcFDWdGb8eXjcwsS3qVkxFVRX8kE"], &[]),
    Shape::new("doppler-scim", "dp.scim.", &[Run(ALNUM, 40)], &["ZHJQkT9RRxNpBChGnLfqDsyojA16YiChfY0JwXIa"], &[]),
    Shape::new("doppler-audit", "dp.audit.", &[Run(ALNUM, 40)], &["JnA9sXNfieDYxS39fZ4mLQhtlxeEtzKXOiWePhOz"], &[]),
    Shape::new("onepassword-service", "ops_eyJ", &[Run(ANY_BASE64, 100)], &["JVG7jadjUVBzuCG_okkMYGfBVL8DX24IbYac3jD91YRalRXHLDKN7PnO1TrfttpMBTDN5QQNSIcvGd_oy0dQDljh6Mg3VpS3or9L"], &[]),
    Shape::new("grafana-service", "glsa_", &[Run(WORD, 36)], &["OxBN8E_AuOI2RYWcmW32wmKqq3cEQmnAmHaS"], &[]),
    Shape::new("grafana-cloud", "glc_", &[Run(BASE64, 32)], &["8MDneVRwZlsOK6WYBsmAEncqdGogsFEk"], &[]),
    Shape::new("grafana-api-key", "eyJrIjoi", &[Run(BASE64, 40)], &["KfclONVsJA1WauiswWThOj//WvvM5Quf3ezgvvDV"], &[]),
    Shape::new("new-relic-user", "NRAK-", &[Run(ALNUM, 24)], &["dJFzL9fBWhvhalEjH6XVkadF"], &[]),
    Shape::new("new-relic-insert", "NRII-", &[Run(BASE64URL, 28)], &["Mswnr0rKqi8NEHFeGvYmnfZb4D_j"], &[]),
    Shape::new("new-relic-query", "NRIQ-", &[Run(BASE64URL, 28)], &["RusFykDv62DBz0mEjsUOSBJ1vkyx"], &[]),
    Shape::new("new-relic-rest", "NRRA-", &[Run(LOWER_HEX, 40)], &["43c57ad8e163fc6cd43ac02170c84b577cfed72a"], &[]),
    Shape::new("sentry-organization", "sntrys_", &[Run(ANY_BASE64, 40)], &["sUNBqhglv3WUSRPzrn2VQBfn3G91qR17E53EAH6I"], &[]),
    Shape::new("sentry-user", "sntryu_", &[Run(LOWER_HEX, 60)], &["81d6903a247f460bae43ae611c2f4e9318425a29ae14db29b33e0a95c431"], &[]),
    Shape::new("age", "AGE-SECRET-KEY-1", &[Run(UPPER_ALNUM, 50)], &["BUR5X3H4ZHM8ATUULQWBDTZISPEW2R92WHV99LLTUCK6N1EFMP"], &[]),
    Shape::new("dbt-service", "dbtc_", &[Run(BASE64URL, 30)], &["Fa3BJZqLNrmWAoid5JUsLbeRa83UJm"], &[]),
    Shape::new("dbt-user", "dbtu_", &[Run(BASE64URL, 30)], &["xRcFRvYdrxOm4ITp5FlhoM_sx_AkYb"], &[]),
    Shape::new("honeycomb-ingest", "hcaik_", &[Run(ALNUM, 50)], &["bsT4drxCr1zNmNzEtq0hpthqplwy7Cmb6YguDwKlk9XUFBVDFJ"], &[]),
    Shape::new("honeycomb-management", "hcamk_", &[Run(ALNUM, 50)], &["u4CNo4aGWMG5Im1zpXNSZZf7O8s2R9PJMnF1aB2mUQXLp53R6I"], &[]),
    Shape::new("axiom-api", "xaat-", &[Run(UUID, 36)], &["031543d8-d62a-4214-a296-c886609304b4"], &[]),
    Shape::new("axiom-personal", "xapt-", &[Run(UUID, 36)], &["4682a3d6-0383-40c6-a45b-3b2214f5ce38"], &[]),
    Shape::new("launchdarkly-api", "api-", &[Run(UUID, 36)], &["1decb67c-b717-45dc-a04d-812c8f17ecb0"], &["a-b-c"]),
    Shape::new("launchdarkly-sdk", "sdk-", &[Run(UUID, 36)], &["fffd4cdf-b044-4ee2-a0d1-549522347f09"], &["and-tools"]),
    Shape::new("launchdarkly-mobile", "mob-", &[Run(UUID, 36)], &["0344496d-9f52-440a-ae8e-de10f77a1281"], &[]),
    Shape::new("posthog-personal", "phx_", &[Run(ALNUM, 32)], &["6KsxJq6QoiVi0uehYZmvNPp3ZNn8SH2q"], &[]),
    Shape::new("inngest-production", "signkey-prod-", &[Run(LOWER_HEX, 32)], &["40212b99a9b6502776172a9326c1f85c"], &[]),
    Shape::new("inngest-test", "signkey-test-", &[Run(LOWER_HEX, 32)], &["a989b343f487431681c9516061c7890c"], &[]),
    Shape::new("infracost", "ico-", &[Run(ALNUM, 32)], &["kuud68x993byNuG6bgqkhJAk8q5xuz2p"], &[]),
    Shape::new("octopus-deploy", "API-", &[Run(UPPER_ALNUM, 26)], &["4QJOYCST01B4S97PWOCDT0ISO2"], &[]).only_if(is_varied_with_digit),
    Shape::new("airplane", "aio_", &[Run(ALNUM, 28)], &["6VKinZg9nB1eoKoWCMb7Qa7wmPKp"], &[]),
    Shape::new("endor", "endr+", &[Run(BASE64URL, 16)], &["hlGg6cR0AKZP28Vj"], &[]),
    Shape::new("defined-networking", "dnkey-", &[Run(BASE64URL, 40)], &["buEw7jg3nSZdSOqeaFu5B3vFb7Ah8NhZPrMjCfXx"], &[]),
    Shape::new("settlemint", "sm_aat_", &[Run(ALNUM, 16)], &["eFBxlYO5HZYqjz8f"], &[]),
    Shape::new("statsig", "secret-", &[Run(ALNUM, 32)], &["xCooYUi2mOHPC9RWNoYXjM1jHALcP2uI"], &["scanning-and-rotation"]).only_if(has_long_run),
    Shape::new("argo-tunnel", "eyJhIjoi", &[Run(BASE64, 60)], &["1qVIT+LVuPBABSXB/mFcOMvQCaw9tRi9Qh5Oux4SLPC6ttsqIgtVQcW12XwR"], &[]),
    Shape::new("doppler-service", "dp.st.", &[Run(BASE64URL_DOT, 40)], &["MrypgKz2tRjsMF3hJxp3rnQUc4jJmz00hwDHssbx"], &[]),
    Shape::new("doppler-service-account", "dp.sa.", &[Run(ALNUM, 40)], &["qoiJSlFzVU7BqG1f4KFjiWVYM1m7wFKpgKRs1sm1"], &[]),
    Shape::new("onepassword-secret-key", "A3-", &[Exactly(UPPER_ALNUM, 6), Text("-"), Run(UPPER_ALNUM, 6), Text("-"), Exactly(UPPER_ALNUM, 5), Text("-"), Exactly(UPPER_ALNUM, 5), Text("-"), Exactly(UPPER_ALNUM, 5), Text("-"), Exactly(UPPER_ALNUM, 5)], &["SVPLWK-MW6O7Q-1Y3LD-8SN7Y-EFFKA-5TRTA"], &["paper-size"]),
    Shape::new("dynatrace", "dt0", &[Exactly(LOWER_ALNUM, 3), Text("."), Exactly(UPPER_ALNUM, 24), Text("."), Run(UPPER_ALNUM, 60)], &["gjc.2O2EZ2XRJNVSINPZSHDRWACX.AOU32UWFL2W6Q0BESLA4W1QG4NKPGASB9JWMV8G2L940O7DFRSP749PHPXLJ"], &["x"]),
    Shape::new("json-web-token", "eyJ", &[Run(BASE64URL, 10), Text("."), Run(BASE64URL, 10), Text("."), Run(BASE64URL_DOT, 16)], &["s7PNZP-Gq5.kE2ZHYLw8J.ePCt15TQIjMf78i6"], &["2ZXJzaW9uIjogMywgImZpbGUiOiAiYmlsbGluZy5qcyIsICJtYXBw"]),
    Shape::new("rancher", "token-", &[Exactly(LOWER_ALNUM, 5), Text(":"), Run(LOWER_ALNUM, 40)], &["92e3r:rioyaa1f8kjc1rir8msyfsjfar99qa4s3zyxmw9x"], &["bucket-rate-limiter"]),
    Shape::new("rancher-kubeconfig", "kubeconfig-", &[Run(BASE64URL, 5), Text(":"), Run(LOWER_ALNUM, 40)], &["VoDf6:i22dnhkdpx92tq8mipr8ga60b1m0do8iuy2n3ij4"], &[]),
    Shape::new("terraform-cloud", ".atlasv1.", &[Run(BASE64URL, 40)], &["nsLyXL5QP2Lr1B.atlasv1.¦A1ui5r9Pba4FZm3_d9bgHoUpytW5yoLA7bamnydK"], &[]).after(ALNUM, 14, 14),
];
