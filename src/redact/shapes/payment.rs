//! Tokens of payment and commerce services.

use super::shape::Part::Run;
use super::shape::Shape;
use crate::redact::lex::class::{
    ALNUM, ANY_BASE64, BASE64, BASE64URL, Class, LOWER_ALNUM, LOWER_HEX, UUID, WORD,
};
use crate::redact::value::entropy::{is_token, is_varied_with_digit};

/// Letters and digits in parts that `$` separates.
const DOLLAR_PARTS: Class = Class::of("A-Za-z0-9$");

#[rustfmt::skip] // A table reads by the row.
pub(crate) const SHAPES: &[Shape] = &[
    Shape::new("stripe-live", "sk_live_", &[Run(ALNUM, 10)], &["W50zqPwT5JwJiDvu"], &["mode"]).only_if(is_token),
    Shape::new("stripe-test", "sk_test_", &[Run(ALNUM, 10)], &["1b72lQeQj9HtJOa0"], &["fixture"]).only_if(is_token),
    Shape::new("stripe-restricted-live", "rk_live_", &[Run(ALNUM, 10)], &["IR5oVujRSjNPLoUH"], &[]).only_if(is_token),
    Shape::new("stripe-restricted-test", "rk_test_", &[Run(ALNUM, 10)], &["vTSSy9BZglL3DdBH"], &[]).only_if(is_token),
    Shape::new("stripe-organization", "sk_org_", &[Run(WORD, 16)], &["7b77u_DUt9awrifw"], &[]).only_if(is_varied_with_digit),
    Shape::new("stripe-webhook", "whsec_", &[Run(BASE64, 24)], &["yEg0iS/SVBJd5ufhgt2YuPbm"], &["naming"]),
    Shape::new("square-access", "sq0atp-", &[Run(BASE64URL, 20)], &["yavcIIOe5S_HvzS3QyiS"], &[]),
    Shape::new("square-oauth", "sq0csp-", &[Run(BASE64URL, 40)], &["z4R4LjmINB3YWt2907g7sjk1AKmVRi9WaEKVygkh"], &[]),
    Shape::new("square-token", "EAAA", &[Run(BASE64URL, 58)], &["acJEC8BzzgutFdn5nSnR6kEgzF7nr87ncYc9iQlEwVrHtFr0porFDO8PRQ"], &[]),
    Shape::new("plaid-production", "access-production-", &[Run(UUID, 36)], &["91e89627-8736-4194-a77a-65d33d3613a7"], &[]),
    Shape::new("plaid-development", "access-development-", &[Run(UUID, 36)], &["11877760-23f2-47bd-ace8-5f6765c32628"], &[]),
    Shape::new("plaid-sandbox", "access-sandbox-", &[Run(UUID, 36)], &["85735f54-315a-4efe-aec5-f723b8985c7a"], &[]),
    Shape::new("paypal-braintree", "access_token$", &[Run(DOLLAR_PARTS, 40)], &["production$NUo4uI1o8mYso7acXMEdp8dt9Y7tVkYPpVaDKs5E"], &[]),
    Shape::new("shippo-live", "shippo_live_", &[Run(LOWER_HEX, 40)], &["14a27ee1c0db539f9c20ce3e4c692c6e8e5d3232"], &[]),
    Shape::new("shippo-test", "shippo_test_", &[Run(LOWER_HEX, 40)], &["4489c5f79491e5d71ae3995a1993ff938c65d9e8"], &[]),
    Shape::new("easypost", "EZAK", &[Run(ALNUM, 50)], &["lqpUAP14lGZ7o0O8voFd8Jr7uUUEzRh5UQ3LdXZ6kDOj4paCIa"], &[]),
    Shape::new("easypost-test", "EZTK", &[Run(ALNUM, 50)], &["5IQC170wo4uUG7HzEs9Kz7j1pXdyQtrT6M6Z5ar4HEcdBmtXQr"], &[]),
    Shape::new("duffel-live", "duffel_live_", &[Run(BASE64URL, 40)], &["3wFn8v6dDZaghYBoJaUDJZgu5WsDCo4MID78BDFZ"], &[]),
    Shape::new("duffel-test", "duffel_test_", &[Run(BASE64URL, 40)], &["0ijZalMnRohw3mfq-oyG0vDxkSOJijJY98OAgGhY"], &[]),
    Shape::new("live-key", "live_", &[Run(ALNUM, 30)], &["oGuKSXcuiM7KAbwxDCjcsIRGdKtsKv"], &["stream_of_all_the_events"]).only_if(is_varied_with_digit),
    Shape::new("test-key", "test_", &[Run(ALNUM, 30)], &["ytanH18jymrg5btaSxsY2fYIht2GRQ"], &["token_refresh"]).only_if(is_varied_with_digit),
    Shape::new("flutterwave", "FLWSECK", &[Run(BASE64URL, 20)], &["KbQ9p8RKFIxNI9S9ZoJv"], &[]).only_if(is_varied_with_digit),
    Shape::new("razorpay", "rzp_live_", &[Run(ALNUM, 14)], &["tk3Xl4LzbzHM4b"], &[]).only_if(is_varied_with_digit),
    Shape::new("checkout", "sk_sbox_", &[Run(LOWER_ALNUM, 20)], &["0o3sa2235tfu9h6o5oe7"], &[]),
    Shape::new("xendit", "xnd_production_", &[Run(ALNUM, 30)], &["ESHGjkn95pbiSiZ8z3vZm3HG51dzzK"], &[]),
    Shape::new("xendit-development", "xnd_development_", &[Run(ALNUM, 30)], &["3Fptqf1BV2t7wY55g2LC1DjB9quTKj"], &[]),
    Shape::new("adyen", "AQE", &[Run(ANY_BASE64, 60)], &["A848dp6D3rTY8S6EE2FNbrZdTCpV7nI0zZ0AZzKpR09csjc3X2p5S2Pp3RaDQ1lXuvgEl2JfdDHfDc2DOwXQbeQ8zR1rLZCixlSI"], &[]),
    Shape::new("wallet-bitcoin", "xprv9", &[Run(ALNUM, 90)], &["ErQHQwjyaxErPZDS3MoJaQNjCxkv5ndK0meGR0vRzZ1fb6d06QGofB8ChQBiIu4NJkS4dJkG0fzMAQMEEMyIbPUf9mYQqw8x3SyRthqpvx"], &["s"]),
    Shape::new("wallet-segwit-nested", "yprv", &[Run(ALNUM, 90)], &["xGKZWGlby02BcHboRBcynXMgWJoleSrcBrFwMOUdGDxnvsDES92Ep9kD7JxlmXVo6Ma8r6XZvlpYaGcpNhxIGjb7u4YQ1rOhoYHGEFOwqR8"], &["x"]),
    Shape::new("wallet-segwit", "zprv", &[Run(ALNUM, 90)], &["C5VkCsN3crv83GOSCTYnUsHqbRaSbiJ4rAipmBEdJKNU679qWcABLf5zYmLJwxOVyKkbSTj5bZc5e6AImY7yYgTwmtr7YSRIFNNhnIMSRzL"], &["x"]),
    Shape::new("wallet-testnet", "tprv8", &[Run(ALNUM, 90)], &["peAwufRvjRfUttSlWRQO7BxlbnFNCFldQMvDp4ug8oa9xxr2mSBsoH6jG5SvkGDyMG1TpDDY2d1XoAISWYzHRCQdgJKRtwWUbuXF5xOtki"], &[]),
    Shape::new("nostr", "nsec1", &[Run(LOWER_ALNUM, 58)], &["4o8iq5c1xs0syujiqcy01qv0y5yzlknqhr7dwtitnb9tcakmkmsmlt8bgx"], &["x"]),
    Shape::new("shopify-access", "shpat_", &[Run(LOWER_HEX, 32)], &["08fc50ed8e55a5445b122236c1f9d9a3"], &[]),
    Shape::new("shopify-shared-secret", "shpss_", &[Run(LOWER_HEX, 32)], &["6c8f9644ce64ef730e170983701daae6"], &[]),
    Shape::new("shopify-custom-app", "shpca_", &[Run(LOWER_HEX, 32)], &["71d1ddb5c7f92961f5c70fc22b6ac8a7"], &[]),
    Shape::new("shopify-private-app", "shppa_", &[Run(LOWER_HEX, 32)], &["aa0b4c02ec1c1808b41c1477a14deb2c"], &[]),
    Shape::new("shopify-partner", "shptka_", &[Run(LOWER_HEX, 32)], &["f2d2038f20d917451a188ff890ce0e2b"], &[]),
];
