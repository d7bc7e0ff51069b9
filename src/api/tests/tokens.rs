//! Tokens: their sources, and renewing once for all.

#[cfg(unix)]
use std::time::Duration;

#[cfg(unix)]
use secrecy::ExposeSecret;

#[cfg(unix)]
use crate::api::SecretSource;
use crate::api::{Token, TokenError, TokenKeeper, TokenSource};

#[test]
fn nothing_prints_a_token() {
    let token = Token::new("  s3cret-canary\n").unwrap();
    assert!(!format!("{token:?}").contains("canary"));
    assert!(!format!("{:?}", TokenKeeper::new(TokenSource::Fixed(token))).contains("canary"));
}

#[test]
fn what_is_no_token() {
    assert!(matches!(Token::new(" \n"), Err(TokenError::Empty)));
    assert!(matches!(Token::new("Bearer abc"), Err(TokenError::Malformed)));
    assert!(matches!(Token::new("abc\r\nX: y"), Err(TokenError::Malformed)));
}

#[cfg(unix)]
#[tokio::test]
async fn a_token_command_is_run_again_once_for_all() {
    let folder = tempfile::tempdir().unwrap();
    let counter = folder.path().join("count");
    let command = format!("echo x >> {0}; wc -l < {0} | tr -d ' '", counter.display());
    let keeper = TokenKeeper::new(TokenSource::Secret(SecretSource::Command(command)));
    let (_, first) = keeper.current().await.unwrap();
    let renewals = futures::future::join_all((0..8).map(|_| keeper.renew(first))).await;
    let generations: Vec<u64> = renewals.into_iter().map(|renewed| renewed.unwrap().1).collect();
    assert_eq!(generations, [2; 8]);
    assert_eq!(std::fs::read_to_string(counter).unwrap().lines().count(), 2);
    let failing = TokenSource::Secret(SecretSource::Command("exit 3".into())).get().await.unwrap_err();
    assert!(matches!(failing, TokenError::Source(_)), "{failing}");
}

#[tokio::test]
async fn a_fixed_token_cannot_be_renewed() {
    let keeper = TokenKeeper::new(TokenSource::Fixed(Token::new("abc").unwrap()));
    assert!(matches!(keeper.renew(1).await, Err(TokenError::Fixed)));
}

/// A command whose first run prints a token, and whose further runs do what is said.
#[cfg(unix)]
fn first_then(folder: &std::path::Path, then: &str) -> TokenKeeper {
    let mark = folder.join("asked").display().to_string();
    let command = format!("if [ -e {mark} ]; then {then}; else touch {mark}; echo first; fi");
    TokenKeeper::new(TokenSource::Secret(SecretSource::Command(command)))
}

#[cfg(unix)]
#[tokio::test]
async fn whoever_stops_waiting_for_a_renewal_leaves_it_to_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let again = folder.path().join("again").display().to_string();
    let keeper = first_then(folder.path(), &format!("[ -e {again} ] || exec sleep 600; echo second"));
    let (_, generation) = keeper.current().await.unwrap();
    let waiting = tokio::time::timeout(Duration::from_millis(200), keeper.renew(generation)).await;
    assert!(waiting.is_err(), "the command hangs");
    std::fs::write(&again, "").unwrap();
    assert_eq!(keeper.renew(generation).await.unwrap().1, generation + 1);
}

#[cfg(unix)]
#[tokio::test]
async fn a_jwt_is_renewed_before_it_ends_and_a_source_without_a_newer_one_is_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    // {"exp":1} and {"exp":1,"n":2}: both have ended long ago.
    let mark = folder.path().join("asked").display().to_string();
    let command =
        format!("if [ -e {mark} ]; then echo h.eyJleHAiOjEsIm4iOjJ9.s; else touch {mark}; echo h.eyJleHAiOjF9.s; fi");
    let keeper = TokenKeeper::new(TokenSource::Secret(SecretSource::Command(command)));
    assert!(!keeper.is_due());
    assert_eq!(keeper.current().await.unwrap().1, 1);
    assert!(keeper.is_due());
    assert_eq!(keeper.fresh().await.unwrap().1, 2);
    assert!(keeper.is_due());
    assert_eq!(keeper.fresh().await.unwrap().1, 2, "the source gives the same one again");
    assert!(!keeper.is_due(), "and is left alone for a while");
}

#[cfg(unix)]
#[tokio::test]
async fn a_token_file_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret");
    std::fs::write(&path, "two words\r\n").unwrap();
    for (mode, accepted) in [(0o600, true), (0o400, true), (0o640, false), (0o604, false)] {
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        match SecretSource::File(path.clone()).get().await {
            Ok(secret) => assert!(accepted && secret.expose_secret() == "two words", "{mode:o}"),
            Err(error) => assert!(!accepted && error.to_string().contains("for its owner alone"), "{mode:o} {error}"),
        }
    }
}
