//! Tokens of clouds, hosting and databases.

use super::super::class::{
    ALNUM, BASE64, BASE64URL, BASE64URL_DOT, Class, DIGIT, LOWER_HEX, UPPER_ALNUM, UUID, WORD,
};
use super::super::entropy::is_varied_with_digit;
use super::super::shape::Part::{Exactly, Run, Text};
use super::super::shape::Shape;

/// What client secrets of Entra ID are made of.
const TILDE: Class = Class::of("A-Za-z0-9._~-");

#[rustfmt::skip] // A table reads by the row.
pub(super) const SHAPES: &[Shape] = &[
    Shape::new("aws-access-key", "AKIA", &[Exactly(UPPER_ALNUM, 16)], &["BKVXIVTJXDXVO27V"], &["XXXXXXXXXXXXXXXX"]),
    Shape::new("aws-temporary-key", "ASIA", &[Exactly(UPPER_ALNUM, 16)], &["OY0PQASGX9EQM7Q6"], &[]),
    Shape::new("aws-bearer-key", "ABIA", &[Exactly(UPPER_ALNUM, 16)], &["SO9A9S36IZCALTPR"], &[]),
    Shape::new("aws-context-key", "ACCA", &[Exactly(UPPER_ALNUM, 16)], &["8PYUFC80IVFJYMZF"], &[]),
    Shape::new("aws-session", "IQoJb3JpZ2lu", &[Run(BASE64, 60)], &["9B2RlJRFNF/yFrDy9bSP12npsf9xMESyicMIBnaaLDyaNUU4wVkFZ07RT3CE"], &[]),
    Shape::new("aws-session-older", "FwoGZXIvYXdz", &[Run(BASE64, 60)], &["nRC3pttYDypBfqRjC22Bh2ftKwC2e9Eqt5iNWzuhrh6iB9tt5z+S8UCvtpZ3"], &[]),
    Shape::new("aws-marketplace", "amzn.mws.", &[Run(UUID, 36)], &["89294691-584a-416b-ac78-a343da25b802"], &[]),
    Shape::new("google-oauth-client", "GOCSPX-", &[Run(BASE64URL, 24)], &["FK6hQkuUK9iNkQg5UMlBv2uf"], &[]),
    Shape::new("google-access", "ya29.", &[Run(BASE64URL_DOT, 30)], &["49TvTvikkAIeKZmlF1kXaQNwdFqw2l"], &[]),
    Shape::new("google-refresh", "1//0", &[Run(BASE64URL, 30)], &["ZfK77WbUV53vFQuwcmPhRO5IlYKK1g"], &[]),
    Shape::new("digitalocean-personal", "dop_v1_", &[Run(LOWER_HEX, 60)], &["278c2e6b7a1960a22b1836cb53cacc760ba7a2e784de90aa52b32d9c6b67"], &[]),
    Shape::new("digitalocean-oauth", "doo_v1_", &[Run(LOWER_HEX, 60)], &["06b65bf40f1ef514dfe2f171fae3c93fdd57174e4583a8f7233f2df2b616"], &[]),
    Shape::new("digitalocean-refresh", "dor_v1_", &[Run(LOWER_HEX, 60)], &["c409c66edfba18094d5017f39abd8cbea91c2eda0aaa14604e826f515ee4"], &[]),
    Shape::new("heroku", "HRKU-", &[Run(BASE64URL, 36)], &["qbJ2JOPZVaog98sM-Titc_yUVyJjb2LwVfzP"], &[]),
    Shape::new("netlify-personal", "nfp_", &[Run(ALNUM, 36)], &["8D51EkWwWQsIyvIOdjrXxxs1Q4ks6qCCb2YV"], &[]),
    Shape::new("netlify-cli", "nfc_", &[Run(ALNUM, 36)], &["1MXyHwH44yubA8dP7m5lkt51x2bnnfGOZcAN"], &[]),
    Shape::new("netlify-oauth", "nfo_", &[Run(ALNUM, 36)], &["xFYu0zhnO5NCBKy3Sq6YuIGpjelO6IygIydW"], &[]),
    Shape::new("netlify-user", "nfu_", &[Run(ALNUM, 36)], &["bZ7NdVw6YzMbYzNdXk9233XTiYlaXQYuQ9jJ"], &[]),
    Shape::new("fly", "fm2_", &[Run(BASE64, 60)], &["vH0V0wl47N0ecjr66E47K+KPkGwTFRLecmRBFDILyhGBjn4VZ/bFYF3KcOjH"], &[]),
    Shape::new("fly-first-version", "fm1_", &[Run(BASE64, 60)], &["gJjfY4Cu8qt2PfXcdonWexfEy1a5YS6wOmRH0irN23fulvBqfhkslPH1WNpD"], &[]),
    Shape::new("fly-oauth", "fo1_", &[Run(BASE64URL, 40)], &["njdl23QFtzXJqKp2AxXPW0bzu84bsUMm6faLu9HO"], &[]),
    Shape::new("vercel-personal", "vcp_", &[Run(ALNUM, 24)], &["UEtB808aF4nozEtShVhvALS2"], &[]),
    Shape::new("vercel-app", "vca_", &[Run(ALNUM, 24)], &["3VlKMrJGg84s3YyRMzn1oFJL"], &[]),
    Shape::new("vercel-integration", "vci_", &[Run(ALNUM, 24)], &["t7gssEtI9nZdx1Gri3Y8mOpr"], &[]),
    Shape::new("vercel-refresh", "vcr_", &[Run(ALNUM, 24)], &["KCNIgq29NyWY9kBFTMEiYs5v"], &[]),
    Shape::new("vercel-ai-gateway", "vck_", &[Run(ALNUM, 24)], &["0k9Rl3NtUpzPHZ9ZlSXo8SPP"], &[]),
    Shape::new("vercel-blob", "vercel_blob_rw_", &[Run(WORD, 24)], &["Arpo6z6b9PY6N3Xhi73ryBcG"], &[]),
    Shape::new("supabase-personal", "sbp_", &[Run(LOWER_HEX, 40)], &["642cd622efb805a1431aff52480c0ddf5310416b"], &[]),
    Shape::new("supabase-secret", "sb_secret_", &[Run(BASE64URL, 24)], &["jFvdOY_sg-uEldP1zB5sAXnt"], &[]),
    Shape::new("neon", "napi_", &[Run(ALNUM, 40)], &["g6hS2sZbq27KO3lMjKvr9oPRNG1DcGpD0daiOjAR"], &[]),
    Shape::new("planetscale-token", "pscale_tkn_", &[Run(BASE64URL, 32)], &["aKn4lBlkcoqSqASZemCWwFtaCuIkA7cF"], &[]),
    Shape::new("planetscale-password", "pscale_pw_", &[Run(BASE64URL, 32)], &["HxChKXmuxi1rOjpDta_lzIg7A7JkM4E1"], &[]),
    Shape::new("planetscale-oauth", "pscale_oauth_", &[Run(BASE64URL, 32)], &["W_QjIWxS_n71j04A--f0KcaFZC8JdIVN"], &[]),
    Shape::new("render", "rnd_", &[Run(ALNUM, 24)], &["tOXrRciixAJ7MXiIjYmgAjSW"], &[]),
    Shape::new("databricks-with-suffix", "dapi", &[Exactly(LOWER_HEX, 32), Text("-"), Run(DIGIT, 1)], &["8ee4e1d99b282dc35623459f036b4656-2"], &[]),
    Shape::new("databricks", "dapi", &[Run(LOWER_HEX, 32)], &["2d7fbc19855b661057680f86611da5b5"], &["docs"]),
    Shape::new("alibaba", "LTAI", &[Run(ALNUM, 12)], &["qgyS0DQBokSe"], &["L"]).only_if(is_varied_with_digit),
    Shape::new("tencent", "AKID", &[Run(ALNUM, 32)], &["63d0ZL7VaAaxIXOmDLOZzDUBaTrNuy5U"], &[]),
    Shape::new("cloudflare-origin-ca", "v1.0-", &[Run(BASE64URL, 100)], &["abulXFuax-kURBmTz2hX6VSyWLTPBNm1LNUW1k5goyO0KzVUmuAXlhAZbmPK-olOGDteLsbMSdOQxYxhbDF1g505H1m89OrZgG3B"], &["beta"]),
    Shape::new("cloudflare-user", "cfut_", &[Run(ALNUM, 40)], &["tZdEWPgHxQ6Ms1BuY9EoC0Iuox9Xp2jHX5eyCf9r"], &[]),
    Shape::new("cloudflare-account", "cfat_", &[Run(ALNUM, 40)], &["l2XEpUeejvylPtQ1CVdnuRGMhLtw8pozab8fjl1P"], &[]),
    Shape::new("cloudflare-global", "cfk_", &[Run(ALNUM, 40)], &["1LHyPyXj30DA5ujfsdoutFm7eWiiszIf2pku41u4"], &[]),
    Shape::new("yandex", "AQVN", &[Run(BASE64URL, 35)], &["pTe2wJ3O6pSisLFA0186ikf7l9gXuBaTGWA"], &[]),
    Shape::new("yandex-secret", "YC", &[Run(BASE64URL, 38)], &["qgohKlcZZ_9Tehirv-eBFujrsoh9fPfuBKKkfF"], &[]).only_if(is_varied_with_digit),
    Shape::new("aiven", "AVNS_", &[Run(BASE64URL, 15)], &["DYJWEhg4wYEem3e"], &[]),
    Shape::new("mongodb-atlas", "mdb_sa_sk_", &[Run(BASE64URL, 40)], &["44D93IQasgD53rISzr4sMV3EOzPWVuI1M7GpQq1w"], &[]),
    Shape::new("cockroachdb", "CCDB1_", &[Run(WORD, 40)], &["xCCihhKVzvZhtjLRngyK1FDFc8zXQ5sMMu_rYHyP"], &[]),
    Shape::new("xata", "xau_", &[Run(ALNUM, 40)], &["XTnGGXJbvlN4qrqqydFWPAg4GPQPXN2bWQwZPCzG"], &[]),
    Shape::new("prefect-user", "pnu_", &[Run(ALNUM, 36)], &["rSuh1n0Q868NXeIB05LDORanL3lunfhIpg1t"], &[]),
    Shape::new("prefect-service", "pnb_", &[Run(ALNUM, 36)], &["V0xCoYPVbvFPlVepyHlwDime13iUjrxha4Db"], &[]),
    Shape::new("edge-database", "nbwt1_", &[Run(BASE64URL_DOT, 40)], &["FKw2gkgtLhDa7EtquqERRMg8xqemazbmYUeEQXPs"], &[]),
    Shape::new("scalingo", "tk-us-", &[Run(BASE64URL, 40)], &["20lW3SVE9DbRDLoXDK3M7FlI_VbGvAF0XCKVag16"], &[]),
    Shape::new("akamai", "akab-", &[Run(BASE64URL, 24)], &["nefQcL9f-PSZEAkDiOC903A1"], &[]).only_if(is_varied_with_digit),
    Shape::new("turbot-pipes", "tpt_", &[Run(WORD, 30)], &["4DQ2zbbGaqj6fzYJlMOMaCBlhtGTuF"], &[]),
    Shape::new("azure-client-secret", "Q~", &[Run(TILDE, 30)], &["c7X2Q~¦nCFqM5qv3PS9zTRDlFjSq5rcBu5iMW"], &["x"]).after(TILDE, 4, 4).only_if(is_varied_with_digit),
    Shape::new("azure-devops", "AZDO", &[Exactly(ALNUM, 4)], &["ONg63VCQDbzcUF0DPOuwCCAfi1HGAeKCJCNNlkMNW0cQEirQuPEdias3LOTFAtvHkmBmqIJdxg3WAZDO¦ibAz"], &["x"]).after(ALNUM, 76, 76),
];
