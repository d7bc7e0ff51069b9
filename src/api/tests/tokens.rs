//! Tokens: their sources, and renewing once for all.

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
async fn a_token_file_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("token");
    std::fs::write(&path, "abc\n").unwrap();
    let set = |mode| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    set(0o644);
    let error = TokenSource::File(path.clone()).get().await.unwrap_err();
    assert!(matches!(error, TokenError::Exposed { .. }), "{error}");
    set(0o600);
    assert!(TokenSource::File(path.clone()).get().await.is_ok());
}

#[cfg(unix)]
#[tokio::test]
async fn a_token_command_is_run_again_once_for_all() {
    let folder = tempfile::tempdir().unwrap();
    let counter = folder.path().join("count");
    let command = format!("echo x >> {0}; wc -l < {0} | tr -d ' '", counter.display());
    let keeper = TokenKeeper::new(TokenSource::Command(command));
    let (_, first) = keeper.current().await.unwrap();
    let renewals = futures::future::join_all((0..8).map(|_| keeper.renew(first))).await;
    let generations: Vec<u64> = renewals.into_iter().map(|renewed| renewed.unwrap().1).collect();
    assert_eq!(generations, [2; 8]);
    assert_eq!(std::fs::read_to_string(counter).unwrap().lines().count(), 2);
    let failing = TokenSource::Command("exit 3".into()).get().await.unwrap_err();
    assert!(matches!(failing, TokenError::Command(_)), "{failing}");
}

#[tokio::test]
async fn a_fixed_token_cannot_be_renewed() {
    let keeper = TokenKeeper::new(TokenSource::Fixed(Token::new("abc").unwrap()));
    assert!(matches!(keeper.renew(1).await, Err(TokenError::Fixed)));
}
