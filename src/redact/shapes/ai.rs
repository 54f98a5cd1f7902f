//! Tokens of model providers and the tools around them.

use super::shape::Part::Run;
use super::shape::Shape;
use crate::redact::lex::class::{ALNUM, BASE64, BASE64URL, LOWER_HEX, UUID, WORD};
use crate::redact::value::entropy::{has_long_run, is_varied, is_varied_with_digit};

#[rustfmt::skip] // A table reads by the row.
pub(crate) const SHAPES: &[Shape] = &[
    Shape::new("anthropic", "sk-ant-", &[Run(BASE64URL, 12)], &["H8BVJDtYz15bLdkHdhy1VW23"], &["api03-..."]).only_if(is_varied_with_digit),
    Shape::new("openai-project", "sk-proj-", &[Run(BASE64URL, 6)], &["kX0vLw9TnB4yR7sJd"], &["..."]).only_if(is_varied_with_digit),
    Shape::new("openai-service-account", "sk-svcacct-", &[Run(BASE64URL, 8)], &["kX0vLw9TnB4yR7sJd"], &[]).only_if(is_varied_with_digit),
    Shape::new("langfuse", "sk-lf-", &[Run(UUID, 36)], &["8f272c13-10a4-420c-accf-0f40a4982680"], &[]),
    Shape::new("openai-or-compatible", "sk-", &[Run(BASE64URL, 10)], &["Zq3kX0vLw9TnB4yR7sJd"], &["fading-circle-and-cube", "learn-pipeline-refit-2"]).only_if(has_long_run),
    Shape::new("openai-session", "sess-", &[Run(ALNUM, 36)], &["mbCMhF8aLW5kII1QEB5vluI3CYS1Sz7m8lig"], &[]),
    Shape::new("elevenlabs", "sk_", &[Run(LOWER_HEX, 40)], &["f3f6e85a50550aa6947b5164c50d1d2045215fb7"], &[]),
    Shape::new("cerebras", "csk-", &[Run(ALNUM, 32)], &["NztcrUALJJafNT4L9UzGtBDMtHZ3pguH"], &[]),
    Shape::new("hugging-face", "hf_", &[Run(ALNUM, 24)], &["Y5gFu3g6zoTWVbgPPZUC8OjhlNAjAj"], &["hub_download"]).only_if(is_varied),
    Shape::new("hugging-face-organization", "api_org_", &[Run(ALNUM, 30)], &["hY71bRfBlfixV18q20ndKHqt1qDyYH"], &[]),
    Shape::new("groq", "gsk_", &[Run(ALNUM, 40)], &["8DSWs4uxHSzQff0g28xKE8PWK5xMUZW7E1sIm5Z5"], &[]),
    Shape::new("xai", "xai-", &[Run(ALNUM, 60)], &["ll1U8au65qKzWBQ7d8wHPMYTDVpN7amWQiC0xSEwM7FkT6wNwbvmRhXDpccd"], &[]),
    Shape::new("perplexity", "pplx-", &[Run(ALNUM, 40)], &["2mb8XZWUMR6Z4U4iPrjYPksl4reBvBbfXNqJMt0d"], &[]),
    Shape::new("replicate", "r8_", &[Run(ALNUM, 32)], &["QkxkYRtvHJSRw7c4Pkr5TUK2TlTLXg7u"], &[]),
    Shape::new("pinecone", "pcsk_", &[Run(WORD, 40)], &["VpCefNZw5CwJfozx9BfaAtTDU0PICC2dw9AiE8A3"], &[]),
    Shape::new("langsmith-personal", "lsv2_pt_", &[Run(WORD, 40)], &["KC7Tp2Kr8iOt9PiLOy_ObmFQ9JsRLsVavD06Iav7"], &[]),
    Shape::new("langsmith-service", "lsv2_sk_", &[Run(WORD, 40)], &["tLSYTImSWGnbBGviuMZU_pr1ywNKiWyHnKXKmiqJ"], &[]),
    Shape::new("tavily", "tvly-", &[Run(BASE64URL, 24)], &["M7wYOj1IyH60bdcS4CaUqJIO"], &[]).only_if(is_varied_with_digit),
    Shape::new("firecrawl", "fc-", &[Run(LOWER_HEX, 32)], &["4e9713eeaef1b656512b4890338f0954"], &["cache-fv"]),
    Shape::new("e2b", "e2b_", &[Run(LOWER_HEX, 40)], &["5b94dbf50f02f1cb4ca813a0b644670fbd5270bc"], &["sandbox_template_builder_cache"]),
    Shape::new("nvidia", "nvapi-", &[Run(BASE64URL, 40)], &["oUQjTVVEj4_AqOApS9kZjqE4uXVy67QcaJLcSV-K"], &[]),
    Shape::new("jina", "jina_", &[Run(BASE64URL, 40)], &["rY2xAop0FCfQVRrE9i0uQcVC9NpOK2wEL1Z4D1CN"], &[]),
    Shape::new("fireworks", "fw_", &[Run(ALNUM, 22)], &["tl5tsWoqvoGATgN1F6lCj7"], &["rule_table_loader"]).only_if(is_varied_with_digit),
    Shape::new("together", "tgp_v1_", &[Run(BASE64URL, 40)], &["PbJxdNTz98JJkoPSuS9B1A-C2k-0aGYDeUdgWpij"], &[]),
    Shape::new("voyage", "pa-", &[Run(BASE64URL, 40)], &["1zxuRAlJEJoYn2mZsS8dDzgcLyMsVU4oCRdwZM_O"], &[]).only_if(has_long_run),
    Shape::new("runpod", "rpa_", &[Run(ALNUM, 40)], &["F3wOOppU7WYwMTTldxbZSNQq5uNjBm8uPJyuxjPG"], &[]),
    Shape::new("modal-token-id", "ak-", &[Run(ALNUM, 22)], &["fVL0ZgDYvDie5o8mkwIgR5"], &["me-anything-session"]).only_if(has_long_run),
    Shape::new("modal-token-secret", "as-", &[Run(ALNUM, 22)], &["x7YFdbT3nHFdClknJOMQYf"], &["soon-as-possible"]).only_if(has_long_run),
    Shape::new("weights-and-biases", "wandb_v1_", &[Run(WORD, 40)], &["SmuvEwOKbjIHlgkgj1fuQ3d_83CtQ0rSoXptiX1f"], &[]),
    Shape::new("llama-cloud", "llx-", &[Run(ALNUM, 40)], &["8vHkSDwmJSX8cvX4QQsqB4YHId8MInvwvgUHTowQ"], &[]),
    Shape::new("cursor", "key_", &[Run(LOWER_HEX, 60)], &["5a46a1e396f672815ce7d94053870b02cc3d219eee4686fbed6597e48ec2"], &[]),
    Shape::new("anyscale", "esecret_", &[Run(ALNUM, 24)], &["5op0L6TjgerWGP7thISAFXiy"], &[]),
    Shape::new("dify-app", "app-", &[Run(ALNUM, 24)], &["nqTLc8dYh6og1wsoXRLoB8cX"], &["store-connect-2"]).only_if(has_long_run),
    Shape::new("dify-dataset", "dataset-", &[Run(ALNUM, 24)], &["t5yw1dK8dZddmeRTZljxiO7Y"], &[]).only_if(has_long_run),
    Shape::new("google-ai", "AIza", &[Run(BASE64URL, 20)], &["oUAXTj3RFiRZSNvAzx4E0Q2rnNFw7_XghK0"], &[]),
    Shape::new("aws-bedrock", "ABSK", &[Run(BASE64, 100)], &["izXt4bRBNHv3R8gfxljvmCbZuzNA8ONHsnMD8yoVeO2PlKhQd0ruC7kWe560ThQiAd088Rp8eUGidVQ3Dtl6/CVnsG5xlk2oZxPT"], &[]),
    Shape::new("aws-bedrock-short-term", "bedrock-api-key-", &[Run(BASE64, 60)], &["4ipTgdOE1iB/e8uGZbt8Hay4tLrJVyUseTFUaaYYtlc2zqID1WQvSXznragf"], &[]),
    Shape::new("lakera", "lk_", &[Run(LOWER_HEX, 60)], &["3bf0deabd0775ad40019407be04e155622f1d9f67a2cc20534979fa49137"], &[]),
];
