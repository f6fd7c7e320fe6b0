//! Drives axiom-rs against the server at AXIOM_URL; fails by panicking.

use axiom_rs::annotations::requests as annotations;
use axiom_rs::datasets::{ContentEncoding, ContentType};
use axiom_rs::{Client, Error};
use futures_util::stream;
use serde_json::json;

const NAME: &str = "rs";

/// Status and message of an answer that must be an error.
fn refused<T: std::fmt::Debug>(result: Result<T, Error>) -> (u16, String) {
    match result {
        Err(Error::Axiom(error)) => (error.status, error.message.unwrap_or_default()),
        other => panic!("not refused: {other:?}"),
    }
}

/// The columns of the first table of an answer.
async fn columns(client: &Client, apl: &str) -> Vec<Vec<serde_json::Value>> {
    let answer = client.query(&apl, None).await.expect(apl);
    answer
        .tables
        .into_iter()
        .next()
        .expect("a table")
        .columns()
        .to_vec()
}

#[tokio::main]
async fn main() {
    let client = Client::new().expect("AXIOM_URL and AXIOM_TOKEN");
    datasets(&client).await;
    events(&client).await;
    queries(&client).await;
    others(&client).await;
    client.datasets().delete(NAME).await.expect("deleted");
    assert_eq!(refused(client.datasets().get(NAME).await).0, 404);
}

async fn datasets(client: &Client) {
    let made = client
        .datasets()
        .create(NAME, "made by a test")
        .await
        .expect("created");
    assert_eq!(
        (made.name.as_str(), made.description.as_str()),
        (NAME, "made by a test")
    );
    assert_eq!(
        refused(client.datasets().create(NAME, "again").await).0,
        409
    );
    let updated = client
        .datasets()
        .update(NAME, "other")
        .await
        .expect("updated");
    assert_eq!(updated.description, "other");
    let all = client.datasets().list().await.expect("listed");
    assert!(all.iter().any(|dataset| dataset.name == NAME));
}

async fn events(client: &Client) {
    let events = vec![
        json!({"foo": "bar", "n": 1, "x": {"y": [1, 2]}}),
        json!({"foo": "baz", "n": 2.5}),
    ];
    assert_eq!(
        client
            .ingest(NAME, events)
            .await
            .expect("ingested")
            .ingested,
        2
    );
    let many = stream::iter((0..2500).map(|i| json!({ "i": i })));
    assert_eq!(
        client
            .ingest_stream(NAME, many)
            .await
            .expect("streamed")
            .ingested,
        2500
    );
    let csv = client.ingest_bytes(
        NAME,
        "a,b\n1,2\n",
        ContentType::Csv,
        ContentEncoding::Identity,
    );
    assert_eq!(csv.await.expect("as CSV").ingested, 1);
}

async fn queries(client: &Client) {
    let found = columns(
        client,
        "rs | where isnotnull(foo) | sort by foo asc | project foo, n, ['x.y']",
    )
    .await;
    assert_eq!(
        json!(found),
        json!([["bar", "baz"], [1, 2.5], [[1, 2], null]])
    );
    let grouped = columns(
        client,
        "rs | where i >= 0 | summarize count(), max(i) by bin(_time, 3650d)",
    )
    .await;
    assert_eq!(json!(grouped[1..]), json!([[2500], [2499]]));
    let (status, message) = refused(client.query(&"rs | sumarize count()", None).await);
    assert_eq!(status, 400);
    assert!(message.contains("did you mean summarize?"), "{message}");
}

async fn others(client: &Client) {
    assert!(!client
        .users()
        .current()
        .await
        .expect("the user")
        .emails
        .is_empty());
    let deploy = annotations::Create::builder()
        .with_type("deploy")
        .expect("a type");
    let deploy = deploy
        .with_datasets(vec![NAME.to_string()])
        .expect("datasets")
        .with_title("t")
        .build();
    let made = client
        .annotations()
        .create(deploy)
        .await
        .expect("annotated");
    assert_eq!(
        client
            .annotations()
            .get(&made.id)
            .await
            .expect("read")
            .title,
        Some("t".to_string())
    );
    let list = annotations::List::builder()
        .with_datasets(vec![NAME.to_string()])
        .build();
    assert_eq!(
        client.annotations().list(list).await.expect("listed").len(),
        1
    );
    client
        .annotations()
        .delete(&made.id)
        .await
        .expect("removed");
    let (status, message) = refused(client.dashboards().list().await);
    assert_eq!(status, 404);
    assert!(message.contains("does not serve dashboards"), "{message}");
}
