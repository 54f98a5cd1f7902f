//! Tokens of mail, chat and telephone services, and their webhook addresses.

use super::shape::Part::{Exactly, Run, Text};
use super::shape::Shape;
use crate::redact::lex::class::{
    ALNUM, BASE64URL, BASE64URL_DOT, DIGIT, HEX, LOWER_ALNUM, LOWER_HEX, PERCENT_ENCODED,
    UPPER_ALNUM, UUID, WORD,
};
use crate::redact::value::entropy::{has_long_run, is_any, is_token, is_varied_with_digit};

#[rustfmt::skip] // A table reads by the row.
pub(crate) const SHAPES: &[Shape] = &[
    Shape::new("slack-bot", "xoxb-", &[Run(BASE64URL, 8)], &["dpPd3Fr45oW7pZm-jLtK"], &["..."]).only_if(is_token),
    Shape::new("slack-user", "xoxp-", &[Run(BASE64URL, 8)], &["pY2UDroyDZzCrK5Ppvl6"], &[]).only_if(is_token),
    Shape::new("slack-workspace", "xoxa-", &[Run(BASE64URL, 8)], &["zxb9idXl999bVMMWFlwm"], &[]).only_if(is_token),
    Shape::new("slack-refresh", "xoxr-", &[Run(BASE64URL, 8)], &["UECi_By7ZDkrYY7QlfDe"], &[]).only_if(is_token),
    Shape::new("slack-session", "xoxs-", &[Run(BASE64URL, 8)], &["mb5Z_IwmfOB-5N0ZOThg"], &[]).only_if(is_token),
    Shape::new("slack-client", "xoxc-", &[Run(BASE64URL, 8)], &["Pe875mDhXUxZatI5heu6"], &[]).only_if(is_varied_with_digit),
    Shape::new("slack-legacy", "xoxo-", &[Run(BASE64URL, 8)], &["1yCk3uso3hBLLzFBBwTC"], &["theme-pack-with-extra-icons"]).only_if(is_varied_with_digit),
    Shape::new("slack-export", "xoxe", &[Run(BASE64URL_DOT, 20)], &["UfCWQg312sirXFmeJr4j"], &[]).only_if(is_varied_with_digit),
    Shape::new("slack-app", "xapp-", &[Run(BASE64URL, 20)], &["buBcQ2YTTTQ14g5IRW6j"], &["store"]).only_if(is_varied_with_digit),
    Shape::new("slack-workflow", "xwfp-", &[Run(BASE64URL, 20)], &["cq_iUTvnlkAuVSSj5Kqc"], &[]).only_if(is_varied_with_digit),
    Shape::new("twilio-api-key", "SK", &[Run(LOWER_HEX, 32)], &["e06e553249bc9324b48e50434e3da8f2"], &[]),
    Shape::new("twilio-account", "AC", &[Exactly(LOWER_HEX, 32), Text(":"), Run(LOWER_HEX, 32)], &["eee65f53e9421ce50211670eae679f02:e8d28a79023c39c200661fccd268a29a"], &["tive: true"]).keeping(2),
    Shape::new("mailgun", "key-", &[Run(LOWER_HEX, 32)], &["7028bf3d44bbe4c77052b0ab97990a90"], &["press"]),
    Shape::new("resend", "re_", &[Run(WORD, 30)], &["CBSg3Dl4_47qaxC03bV7iK2CmA3pXh"], &["match_groups_to_dict_by_name_and_index", "export_all_the_symbols_from_prelude"]).only_if(has_long_run),
    Shape::new("brevo", "xkeysib-", &[Run(BASE64URL, 60)], &["YhxZdOhQ2se-y3hiNodiCp0CoDHMvvOPIltHplgo6YFdK8MB7O9wrOj7lTpa"], &[]),
    Shape::new("brevo-smtp", "xsmtpsib-", &[Run(BASE64URL, 60)], &["9IZHq2laItH5rfWKKuxs_NbRZTqMmELgrcbK5ToaI0-Mixg8sfVJXUF0mXsk"], &[]),
    Shape::new("mailersend", "mlsn.", &[Run(LOWER_HEX, 60)], &["9d0180f23eb247ed25791965d26a5a623a6c6c1bdee8fa64544bc161ba17"], &[]),
    Shape::new("mandrill", "md-", &[Run(BASE64URL, 22)], &["c3kDvLX5U6owo4Xj_jNEI4"], &[]).only_if(has_long_run),
    Shape::new("onesignal", "os_v2_app_", &[Run(ALNUM, 40)], &["8Cey40hHKEC18oVFpWA1o79VEkZvepo0TiQuEhho"], &[]),
    Shape::new("telnyx", "KEY0", &[Run(BASE64URL, 40)], &["UB9CA3GelwRRmkbBAMtScMqcu4LYKGHgYB4hnEZ6"], &[]),
    Shape::new("sendgrid", "SG.", &[Run(BASE64URL, 16), Text("."), Run(BASE64URL, 32)], &["xVozmNaieDc3P6Qo.PxD-38WNtnQ45nJAwobZdydGtpbtfq10"], &["Collections.Generic"]),
    Shape::new("slack-cookie", "xoxd-", &[Run(PERCENT_ENCODED, 20)], &["6rBVK0eJudMGeGSe2JYH"], &[]).only_if(is_varied_with_digit),
    Shape::new("slack-workflow-webhook", "hooks.slack.com/workflows/", &[Run(UPPER_ALNUM, 8), Text("/"), Run(UPPER_ALNUM, 8), Text("/"), Run(DIGIT, 8), Text("/"), Run(ALNUM, 16)], &["TA0HIPGAD3/A5L9M26MI0/616630494032699102/nCqaXNv1syeefnLOpaMxxNDi"], &["new"]).keeping(0),
    Shape::new("slack-webhook", "hooks.slack.com/", &[Run(BASE64URL, 8), Text("/"), Run(UPPER_ALNUM, 8), Text("/"), Run(UPPER_ALNUM, 8), Text("/"), Run(ALNUM, 16)], &["2xtPP0AA/PZDFG0PR/QEQ517SO/ra4QR4lI12ZnVfrL"], &["services/"]).keeping(2),
    Shape::new("discord-webhook", "/api/webhooks/", &[Run(DIGIT, 16), Text("/"), Run(BASE64URL, 40)], &["7281353570760445/oDrgNTW_yUx2X1EAQPpNz30ns38QObeSqCgxEag9"], &["123"]).keeping(2),
    Shape::new("teams-webhook", "/IncomingWebhook/", &[Run(HEX, 32), Text("/"), Run(UUID, 36)], &["7e0064a4036bebe45fe76edcc8862dcf/2201d6b6-7c51-4006-a2a8-c15ee167f235"], &["x"]).keeping(0),
    Shape::new("feishu-webhook", "/open-apis/bot/v2/hook/", &[Run(UUID, 36)], &["f4c54977-656c-f2d1-3318-7c8df95247f2"], &["x"]).keeping(0),
    Shape::new("wecom-webhook", "/cgi-bin/webhook/send?key=", &[Run(UUID, 36)], &["866028de-7115-9b42-b4ea-410fb9102f29"], &["x"]).keeping(0),
    Shape::new("ifttt-webhook", "/with/key/", &[Run(BASE64URL, 20)], &["Orjj5VfqRTk8j1d-bWWbjkloG1QX647kdNl9cDo-_Gb"], &["rotation"]).keeping(0),
    Shape::new("make-webhook", ".make.com/", &[Run(LOWER_ALNUM, 30)], &["xtjm7kv25puzqm1mnyounii5wcerkh24"], &["en/help"]).keeping(0),
    Shape::new("pagerduty-webhook", "events.pagerduty.com/integration/", &[Run(LOWER_HEX, 32)], &["86dcfaea21818b904ce6087413e3b266"], &["x"]).keeping(0),
    Shape::new("zapier-webhook", "hooks.zapier.com/hooks/catch/", &[Run(DIGIT, 4), Text("/"), Run(LOWER_ALNUM, 5)], &["1995/ifswh"], &[]).keeping(2).only_if(is_any),
    Shape::new("telegram-bot", ":AA", &[Run(BASE64URL, 31)], &["762305276:AA¦RqqyqdGArbiI48TPYyOPHmSTcGWNlI4"], &["A"]).after(DIGIT, 8, 12),
    Shape::new("telegram-bot-in-url", "bot", &[Run(DIGIT, 9), Text(":AA"), Run(BASE64URL, 31)], &["273074584:AAjPampUOFrBb5Tfdr3uShO00E5ZZhSln"], &["tom"]).keeping(0),
    Shape::new("mailchimp", "-us", &[Run(DIGIT, 1)], &["fdf3a4b1c0f09739fc2fb36ae0ae04bc-us¦5"], &["east"]).after(LOWER_HEX, 32, 32).only_if(is_varied_with_digit),
    Shape::new("discord-bot-m", "M", &[Run(BASE64URL, 22), Text("."), Exactly(BASE64URL, 6), Text("."), Run(BASE64URL, 27)], &["b_3bMKYzN9KAiFUq74qQcI.Pcg3Bd.A4riJHF-UYKCpazMfWtJT0bV8H7"], &["ozilla.Firefox.com"]).only_if(has_long_run),
    Shape::new("discord-bot-n", "N", &[Run(BASE64URL, 22), Text("."), Exactly(BASE64URL, 6), Text("."), Run(BASE64URL, 27)], &["dY5KNu4iFtxozVZpjlGgdn.cN1S5I.sJH4ho7TPUGVjOUYKLXrzpAEjo7"], &["ozilla.Firefox.com"]).only_if(has_long_run),
    Shape::new("discord-bot-o", "O", &[Run(BASE64URL, 22), Text("."), Exactly(BASE64URL, 6), Text("."), Run(BASE64URL, 27)], &["0UEmOm1Fxb7x_ekb0tqugX.KvR34S.3mCaEJTlzqK_sD8K9jbYmojLK0V"], &["ozilla.Firefox.com"]).only_if(has_long_run),
    Shape::new("discord-user", "mfa.", &[Run(BASE64URL, 80)], &["8Gwb8ewCISuYCl0Xq56zaWR7PAmpBFXlNPHcSke4R1J_dBi2ewQr8t4-lC4LvGNWAMsI-z0oaWdfZp_lvi60"], &["enabled"]),
];
