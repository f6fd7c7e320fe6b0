"""Sends `first` and `second` with a program's own library: `send.py NAME URL TOKEN DATASET`. It fails if the library does not say that both were delivered."""

import logging
import queue
import sys
from urllib.parse import urlparse

name, url, token, dataset = sys.argv[1:5]
messages = ["first", "second"]
failed = []


def log_with(handler):
    handler.handleError = lambda record: failed.append(sys.exc_info()[1])
    logger = logging.getLogger("shipper")
    logger.addHandler(handler)
    for message in messages:
        logger.error(message)


def elasticsearch():
    from elasticsearch import Elasticsearch, helpers

    # Without a dataset in the path, the index is the dataset.
    client = Elasticsearch(f"{url}/elastic", basic_auth=("axiom", token), http_compress=True)
    assert client.info()["tagline"] == "You Know, for Search"
    actions = [{"_index": dataset, "message": message} for message in messages]
    done, errors = helpers.bulk(client, actions, raise_on_error=False)
    assert (done, errors) == (2, []), (done, errors)


def loki():
    import logging_loki

    address = f"{url}/v1/ingest/{dataset}/loki/api/v1/push"
    log_with(logging_loki.LokiHandler(url=address, tags={"app": "test"}, auth=("axiom", token), version="1"))


def splunk():
    from splunk_handler import SplunkHandler

    at = urlparse(url)
    handler = SplunkHandler(
        host=at.hostname, port=at.port, protocol="http", verify=False, token=token, index=dataset, flush_interval=0.2
    )
    log_with(handler)
    handler.force_flush()


def honeycomb():
    import libhoney

    client = libhoney.Client(writekey=token, dataset=dataset, api_host=url)
    for message in messages:
        event = client.new_event()
        event.add_field("message", message)
        event.send()
    client.close()
    answers = client.responses()
    statuses = []
    while True:
        try:
            answer = answers.get(timeout=5)
        except queue.Empty:
            break
        if answer is None:
            break
        statuses.append(answer["status_code"])
    assert statuses == [202, 202], statuses


def fluentd():
    from fluent import sender

    at = urlparse(url)
    client = sender.FluentSender("app", host=at.hostname, port=at.port, nanosecond_precision=True)
    assert all([client.emit("x", {"message": message}) for message in messages]), client.last_error
    client.close()


globals()[name]()
assert failed == [], failed
