"""Drives axiom-py against the server at AXIOM_URL."""

import asyncio
import gzip
import json
import logging
import os
import unittest
from datetime import datetime, timedelta, timezone

import structlog
from axiom_py import (
    AplOptions,
    AsyncClient,
    AxiomError,
    Client,
    ContentEncoding,
    ContentType,
    IngestOptions,
)
from axiom_py.annotations import AnnotationCreateRequest, AnnotationUpdateRequest
from axiom_py.logging import AxiomHandler
from axiom_py.structlog import AxiomProcessor
from axiom_py.tokens import (
    CreateTokenRequest,
    RegenerateTokenRequest,
    TokenDatasetCapabilities,
    TokenOrganizationCapabilities,
)
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from structlog.processors import JSONRenderer, add_log_level, dict_tracebacks
from structlog.stdlib import BoundLogger

SERVER = {
    "url": os.environ["AXIOM_URL"],
    "token": os.environ["AXIOM_TOKEN"],
    "org_id": "any",
}
EVENTS = [{"path": "/a", "status": 200}, {"path": "/b", "status": 404}]


class Conformance(unittest.TestCase):
    def setUp(self):
        self.client = Client(**SERVER)
        self.addCleanup(self.client.shutdown_hook)
        self.name = "py-" + self._testMethodName.replace("_", "-")
        self.client.datasets.create(self.name, "made by a test")
        self.addCleanup(self.remove)

    def remove(self):
        Client(**SERVER).datasets.delete(self.name)

    def rows(self, apl="", options=None, client=None):
        query = f"['{self.name}'] {apl}"
        result = (client or self.client).query(query, options)
        return [row for table in result.tables for row in table.events()]

    def test_datasets(self):
        updated = self.client.datasets.update(self.name, "other")
        self.assertEqual(updated.description, "other")
        self.assertEqual(self.client.datasets.get(self.name), updated)
        self.assertIn(updated, self.client.datasets.get_list())
        self.client.datasets.trim(self.name, timedelta(seconds=1))
        # The client sends the part of the duration below a day, which here is nothing and would remove every event.
        with self.assertRaisesRegex(AxiomError, "maxDuration"):
            self.client.datasets.trim(self.name, timedelta(days=3))
        with self.assertRaises(AxiomError) as raised:
            self.client.datasets.get("nowhere")
        self.assertEqual(raised.exception.status, 404)
        self.assertRegex(str(raised.exception), "not found")

    def test_forms_and_encodings(self):
        lines = "\n".join(json.dumps(event) for event in EVENTS).encode()
        array = json.dumps(EVENTS).encode()
        csv = b"path,status\n/a,200\n/b,404\n"
        identity, zipped = ContentEncoding.IDENTITY, ContentEncoding.GZIP
        ways = [
            (array, ContentType.JSON, identity),
            (gzip.compress(array), ContentType.JSON, zipped),
            (lines, ContentType.NDJSON, identity),
            (lines, ContentType.JSON, identity),
            (gzip.compress(lines), ContentType.NDJSON, zipped),
            (csv, ContentType.CSV, identity),
            (gzip.compress(csv), ContentType.CSV, zipped),
        ]
        for payload, kind, encoding in ways:
            with self.subTest(kind=kind, encoding=encoding):
                status = self.client.ingest(self.name, payload, kind, encoding)
                self.assertEqual((status.ingested, status.failed), (2, 0))
                self.assertEqual(status.failures, [])
        self.assertEqual(len(self.rows()), 14)

    def test_events_with_options(self):
        at = datetime.now(timezone.utc) - timedelta(minutes=1)
        event = {"_time": at.strftime("%d/%b/%Y:%H:%M:%S +0000"), "n": 1}
        options = IngestOptions("_time", "2/Jan/2006:15:04:05 +0000", ";")
        status = self.client.ingest_events(self.name, [event], options)
        self.assertEqual(status.ingested, 1)
        self.client.ingest_events(self.name, [{"n": 2, "_time": at - timedelta(hours=1)}])
        window = AplOptions(at - timedelta(minutes=1), datetime.now(timezone.utc))
        self.assertEqual([row["n"] for row in self.rows("", window)], [1])
        bad = self.client.ingest(
            self.name, b'{"_time":"soon"}', ContentType.JSON, ContentEncoding.IDENTITY
        )
        self.assertEqual((bad.ingested, bad.failed, len(bad.failures)), (0, 1, 1))

    def test_queries(self):
        empty = self.client.query(f"['{self.name}']")
        self.assertEqual(empty.status.rowsExamined, 0)
        self.client.ingest_events(self.name, EVENTS)
        always = self.client.query(f"['{self.name}'] | where true")
        self.assertEqual(
            [(message.msg, message.code) for message in always.status.messages],
            [
                (
                    "where clause always evaluates to TRUE, which will include all data",
                    "apl_whereclausealwaysevaluatestoTRUEwhichwillincludealldata_1",
                )
            ],
        )
        self.assertEqual(always.status.rowsMatched, 2)
        counted = self.rows("| summarize event_count = count() by path | sort by path asc")
        self.assertEqual(
            counted,
            [{"path": "/a", "event_count": 1}, {"path": "/b", "event_count": 1}],
        )
        binned = self.client.query(f"['{self.name}'] | summarize count() by bin(_time, 1h)")
        self.assertEqual([table.name for table in binned.tables], ["0", "_totals"])
        with self.assertRaises(AxiomError) as raised:
            self.rows("| where")
        self.assertEqual(raised.exception.status, 400)

    def test_pages(self):
        self.client.ingest_events(self.name, [{"n": n} for n in range(7)])
        seen, cursor = [], None
        while True:
            result = self.client.query(
                f"['{self.name}'] | sort by _time desc | limit 3", AplOptions(cursor=cursor)
            )
            seen += [row["n"] for row in result.tables[0].events()]
            if result.status.minCursor == cursor:
                break
            cursor = result.status.minCursor
        self.assertEqual(sorted(seen), list(range(7)))

    def test_tokens(self):
        token = self.client.tokens.create(
            CreateTokenRequest(
                name="py",
                datasetCapabilities={"*": TokenDatasetCapabilities(ingest=["create"])},
                orgCapabilities=TokenOrganizationCapabilities(apiTokens=["read"]),
            )
        )
        self.assertEqual(self.client.tokens.get(token.id).name, "py")
        self.assertIn(token.id, [each.id for each in self.client.tokens.list()])
        limited = Client(**{**SERVER, "token": token.token})
        self.assertEqual(limited.ingest_events(self.name, EVENTS).ingested, 2)
        with self.assertRaises(AxiomError) as raised:
            self.rows(client=limited)
        self.assertEqual(raised.exception.status, 403)
        self.client.tokens.regenerate(
            token.id,
            RegenerateTokenRequest(
                existingTokenExpiresAt=datetime.now() + timedelta(days=1),
                newTokenExpiresAt=datetime.now() + timedelta(days=2),
            ),
        )
        self.client.tokens.delete(token.id)

    def test_annotations(self):
        made = self.client.annotations.create(
            AnnotationCreateRequest(
                datasets=[self.name],
                type="deploy",
                time=None,
                endTime=None,
                title=None,
                description=None,
                url=None,
            )
        )
        self.assertEqual(self.client.annotations.get(made.id), made)
        self.assertEqual(self.client.annotations.list(datasets=[self.name, "other"]), [made])
        self.client.annotations.update(
            made.id,
            AnnotationUpdateRequest(
                datasets=["other"],
                type=None,
                time=None,
                endTime=None,
                title=None,
                description=None,
                url=None,
            ),
        )
        self.assertEqual(self.client.annotations.list(datasets=[self.name]), [])
        self.client.annotations.delete(made.id)

    def test_user_and_strangers(self):
        self.assertTrue(self.client.users.current().id)
        stranger = Client(**{**SERVER, "token": "xaat-00000000-0000-4000-8000-00000000ffff"})
        with self.assertRaises(AxiomError) as raised:
            stranger.datasets.get_list()
        self.assertEqual(raised.exception.status, 401)

    def test_edge(self):
        capabilities = TokenDatasetCapabilities(ingest=["create"], query=["read"])
        token = self.client.tokens.create(
            CreateTokenRequest(name="edge", datasetCapabilities={"*": capabilities})
        )
        edge = Client(**{**SERVER, "token": token.token}, edge_url=SERVER["url"])
        self.assertEqual(edge.ingest_events(self.name, EVENTS).ingested, 2)
        self.assertEqual(len(self.rows("| where path != ''", client=edge)), 2)

    def test_logging(self):
        handler = AxiomHandler(self.client, self.name)
        logger = logging.getLogger(self.name)
        logger.propagate = False
        logger.addHandler(handler)
        logger.warning("hello")
        handler.flush()
        logger.removeHandler(handler)
        self.assertEqual([row["msg"] for row in self.rows()], ["hello"])

    def test_structlog(self):
        processor = AxiomProcessor(self.client, self.name)
        chain = [add_log_level, dict_tracebacks, processor, JSONRenderer()]
        logger = structlog.wrap_logger(
            structlog.ReturnLogger(), processors=chain, wrapper_class=BoundLogger
        )
        logger.info("hello", n=1, tags=["a", 2])
        try:
            raise KeyError("k")
        except KeyError:
            logger.exception("failed")
        processor.flush()
        hello, failed = self.rows("| sort by n asc")
        self.assertEqual(
            [hello["event"], hello["level"], hello["tags"]], ["hello", "info", ["a", 2]]
        )
        self.assertEqual(failed["exception"][0]["exc_type"], "KeyError")

    def test_opentelemetry(self):
        def exporting(exporter, path):
            headers = {
                "Authorization": f"Bearer {SERVER['token']}",
                "X-Axiom-Dataset": self.name,
            }
            return exporter(
                SERVER["url"] + path, headers=headers, compression=Compression.Gzip
            )

        spans = TracerProvider(resource=Resource({"service.name": "shop"}))
        spans.add_span_processor(
            SimpleSpanProcessor(exporting(OTLPSpanExporter, "/v1/traces"))
        )
        with spans.get_tracer("t").start_as_current_span("pay", attributes={"n": 3}):
            pass
        spans.shutdown()
        (span,) = self.rows("| extend n = ['attributes.custom']['n']")
        self.assertEqual(
            [span["name"], span["service.name"], span["n"]], ["pay", "shop", 3]
        )

    def test_async(self):
        async def run():
            async with AsyncClient(**SERVER) as client:
                status = await client.ingest_events(self.name, EVENTS)
                result = await client.query(f"['{self.name}'] | count")
                return status.ingested, list(result.tables[0].events())

        self.assertEqual(asyncio.run(run()), (2, [{"count": 2}]))


if __name__ == "__main__":
    unittest.main()
