//! Tokens of code forges, review and build services.

use super::shape::Part::Run;
use super::shape::Shape;
use crate::redact::lex::class::{ALNUM, BASE64URL, BASE64URL_DOT, LOWER_HEX, WORD};
use crate::redact::value::entropy::{is_token, is_varied_with_digit};

#[rustfmt::skip] // A table reads by the row.
pub(crate) const SHAPES: &[Shape] = &[
    Shape::new("github-ghp", "ghp_", &[Run(ALNUM, 16)], &["JHFNQ5FIJgxC5TtnuIxUBzDJmEbzL8"], &["import"]).only_if(is_token),
    Shape::new("github-gho", "gho_", &[Run(ALNUM, 16)], &["jAj1bXZh8vf4ilwpSrOfiS5Vua4Mvl"], &["xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]).only_if(is_token),
    Shape::new("github-ghu", "ghu_", &[Run(ALNUM, 16)], &["CKvmFHVhvRH46RwgP0mAziBdgxMync"], &["xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]).only_if(is_token),
    Shape::new("github-ghr", "ghr_", &[Run(ALNUM, 16)], &["AywnvK9zClK7qt8MdcGqJES2MKZToG"], &["xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]).only_if(is_token),
    Shape::new("github-server", "ghs_", &[Run(BASE64URL_DOT, 16)], &["9XL0Y7vvx78zT11OSJnKShPYWle5YB"], &[]).only_if(is_varied_with_digit),
    Shape::new("github-fine-grained", "github_pat_", &[Run(WORD, 16)], &["AEOHSmELtNUc8mLftUv7iw6nY9BBwXDRuLYYonUfRiOCH9t5sx"], &["of_the_organisation"]).only_if(is_token),
    Shape::new("gitlab-personal", "glpat-", &[Run(BASE64URL_DOT, 12)], &["LwTbkNoEAtwTFSAie9JL"], &["prefix"]).only_if(is_token),
    Shape::new("gitlab-deploy", "gldt-", &[Run(BASE64URL, 20)], &["2VjKVSbp7p1lWv4DaWkp"], &[]),
    Shape::new("gitlab-pipeline-trigger", "glptt-", &[Run(BASE64URL, 20)], &["AIJzXucRJoKPGZ0ksH-t"], &[]),
    Shape::new("gitlab-runner", "glrt-", &[Run(BASE64URL_DOT, 20)], &["OQ1DSM7tAOcknCgy1XMz"], &[]),
    Shape::new("gitlab-runner-registration", "glrtr-", &[Run(BASE64URL_DOT, 20)], &["l6RqX4Yzgjv1JykjyeAh"], &[]),
    Shape::new("gitlab-runner-registration-old", "GR1348941", &[Run(BASE64URL, 20)], &["z-3olRpIHCDVXDfwpxTV"], &[]),
    Shape::new("gitlab-ci-build", "glcbt-", &[Run(BASE64URL_DOT, 20)], &["Tsx5aKKzFAIZVN5TqP59"], &[]),
    Shape::new("gitlab-incoming-mail", "glimt-", &[Run(BASE64URL, 20)], &["kKdi-wBdEbOukb2rpviI"], &[]),
    Shape::new("gitlab-feed", "glft-", &[Run(BASE64URL, 20)], &["mdHwF_I5jyal6c9BdXjW"], &[]),
    Shape::new("gitlab-scim", "glsoat-", &[Run(BASE64URL, 20)], &["Fj1_1sAoXK_hobIcSrnI"], &[]),
    Shape::new("gitlab-agent", "glagent-", &[Run(BASE64URL_DOT, 40)], &["HLXE8saGH5hln0OeFirNEAJZJSEKaQnvDxM0xxh6"], &[]),
    Shape::new("gitlab-feature-flags", "glffct-", &[Run(BASE64URL, 20)], &["bXf_9x381imlV72j9p2v"], &[]),
    Shape::new("gitlab-oauth-application", "gloas-", &[Run(BASE64URL, 40)], &["arXuuEuEVNObfrFuYJHx8MMH4Dg7XYuS5WB4tatN"], &[]),
    Shape::new("gitlab-workspace", "glwt-", &[Run(BASE64URL, 20)], &["KBB67_2grZjdeIVZKC2m"], &[]),
    Shape::new("bitbucket-app-password", "ATBB", &[Run(ALNUM, 20)], &["aopVbo6oVb5oQxX1N0LW"], &["1"]).only_if(is_varied_with_digit),
    Shape::new("bitbucket-repository", "ATCTT3xFfGN0", &[Run(BASE64URL_DOT, 60)], &["c1NacDTT5ACJ23PyrTd3or2dli8szEM8fEUCw1O3NAk8rGHadyOjM6UPyNfu"], &[]),
    Shape::new("atlassian", "ATATT3xFfGF0", &[Run(BASE64URL_DOT, 60)], &["eoKCkj2rz6f5Mk2Rrf17Yh4PGE4IWImFnA4tzz8lcFGsxjG4R9UuCwxDctyn"], &[]),
    Shape::new("atlassian-admin", "ATCTT3xFfGF0", &[Run(BASE64URL_DOT, 60)], &["vux9Weg1LI6v7VvubecNGTsU81b5qTFLDWMr16mwiuV5UALrTPxRjyGvOXzJ"], &[]),
    Shape::new("trello", "ATTA", &[Run(LOWER_HEX, 60)], &["b84d48ef7549fd951e89467ee7bf70fdcd700bb5531623396eabf970a557"], &[]),
    Shape::new("circleci-personal", "CCIPAT_", &[Run(WORD, 40)], &["lyG9Fp7Nasn2avxzwxAmwU3esNwrAttIJ2xinjx1"], &[]),
    Shape::new("circleci-project", "CCIPRJ_", &[Run(WORD, 40)], &["O0ScA3wz7FOWX2hwVFcJcYns1B4YABGnWo8mPiMa"], &[]),
    Shape::new("buildkite-user", "bkua_", &[Run(LOWER_HEX, 40)], &["8b7a7e6acedc5d1b13ada87810dd185e4db0fd80"], &[]),
    Shape::new("buildkite-agent", "bkct_", &[Run(ALNUM, 32)], &["cImOmd2scuN3Lx53g1Gv5AARrHRkhkBA"], &[]),
    Shape::new("buildkite-registry", "bkpt_", &[Run(ALNUM, 32)], &["6Jpj5qPdn4pIjFUw1wtQFe7LuMBd6LCg"], &[]),
    Shape::new("sourcegraph", "sgp_", &[Run(WORD, 40)], &["sl6hxn7G2f1pFsPMTNhM2cVBd9cKVmod4_NS5RM6"], &[]),
    Shape::new("sourcegraph-dotcom", "sgd_", &[Run(LOWER_HEX, 60)], &["1dd59e7fdca9673e5175dc288b25c004fd88d4fb8fb434d6cb91719b0f88"], &[]),
    Shape::new("sourcegraph-license", "slk_", &[Run(LOWER_HEX, 60)], &["c3eea7f208f7f4f0e940a4b3603abde42b23f20b33f20efbdbdd069a415b"], &[]),
    Shape::new("sonar-project", "sqp_", &[Run(LOWER_HEX, 40)], &["71870670394a35bbd6f79c59430a5124d6e56021"], &[]),
    Shape::new("sonar-user", "squ_", &[Run(LOWER_HEX, 40)], &["984016355c1ac9baf12b8835ac264e3aa69a5362"], &[]),
    Shape::new("sonar-global", "sqa_", &[Run(LOWER_HEX, 40)], &["1d9aeb53d504c46ef32726871931ca6a09d754d5"], &[]),
    Shape::new("snyk", "snyk_uat.", &[Run(BASE64URL_DOT, 40)], &["YwglJD9dPy2FJsOljLjTo8uRw5Geu5kaoOIgrri3"], &[]),
    Shape::new("depot", "depot_", &[Run(ALNUM, 32)], &["6uKvCBDsSMk8l9mJJgr7lxQhfCA1cDl4"], &[]),
    Shape::new("harness-personal", "pat.", &[Run(BASE64URL_DOT, 60)], &["sqQKYLbLX3Dv39H3979jGw9sHICC0YKuJtZes6b7mAVuUxxo6lKjctTY47Yc"], &["match(line).group(1)"]),
    Shape::new("harness-service", "sat.", &[Run(BASE64URL_DOT, 60)], &["If4meCw6VA9PTVeKGE9ZsUOx0h4gZawT7ApZtAnWdc7FpQuqgErkpEvziM3L"], &[]),
    Shape::new("gitea-runner", "reg_", &[Run(ALNUM, 40)], &["kogteBS8IVJ0HfLHKIbYiWnAulccW0sN4kflxxyK"], &[]),
];
