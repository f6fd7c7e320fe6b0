// Package conformance drives axiom-go against the server at AXIOM_URL.
package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	adapter "github.com/axiomhq/axiom-go/adapters/slog"
	"github.com/axiomhq/axiom-go/axiom"
	"github.com/axiomhq/axiom-go/axiom/ingest"
	"github.com/axiomhq/axiom-go/axiom/query"
	"github.com/axiomhq/axiom-go/axiom/querylegacy"
)

const events = `[{"path":"/a","status":200},{"path":"/b","status":404}]`

func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func equal(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func connect(t *testing.T) (*axiom.Client, context.Context) {
	t.Helper()
	return connectWith(t, os.Getenv("AXIOM_TOKEN"))
}

func connectWith(t *testing.T, token string) (*axiom.Client, context.Context) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	return must[*axiom.Client](t)(axiom.NewClient(
		axiom.SetNoEnv(),
		axiom.SetURL(os.Getenv("AXIOM_URL")),
		axiom.SetToken(token),
		axiom.SetOrganizationID("any"),
	)), ctx
}

// dataset makes one that is gone after the test.
func dataset(t *testing.T, ctx context.Context, client *axiom.Client) string {
	t.Helper()
	name := "go-" + strings.ToLower(t.Name())
	must[*axiom.Dataset](t)(client.Datasets.Create(ctx, axiom.DatasetCreateRequest{Name: name, Description: "made by a test"}))
	t.Cleanup(func() {
		if err := client.Datasets.Delete(context.Background(), name); err != nil {
			t.Error(err)
		}
	})
	return name
}

func count(t *testing.T, ctx context.Context, client *axiom.Client, name string) int {
	t.Helper()
	result := must[*query.Result](t)(client.Datasets.Query(ctx, fmt.Sprintf("['%s'] | count", name)))
	return int(result.Tables[0].Columns[0][0].(float64))
}

func TestCredentials(t *testing.T) {
	client, ctx := connect(t)
	if err := client.ValidateCredentials(ctx); err != nil {
		t.Error(err)
	}
	user := must[*axiom.User](t)(client.Users.Current(ctx))
	if user.ID == "" || user.Name == "" {
		t.Errorf("a user without a name: %v", user)
	}
	orgs := must[[]*axiom.Organization](t)(client.Organizations.List(ctx))
	equal(t, must[*axiom.Organization](t)(client.Organizations.Get(ctx, orgs[0].ID)), orgs[0])
}

func TestErrors(t *testing.T) {
	client, ctx := connect(t)
	_, err := client.Datasets.Get(ctx, "nowhere")
	var failure axiom.HTTPError
	if !errors.Is(err, axiom.ErrNotFound) || !errors.As(err, &failure) || failure.TraceID == "" {
		t.Errorf("a missing dataset is %v", err)
	}
	name := dataset(t, ctx, client)
	if _, err := client.Datasets.Create(ctx, axiom.DatasetCreateRequest{Name: name}); !errors.Is(err, axiom.ErrExists) {
		t.Errorf("a name that is taken is %v", err)
	}
	stranger, ctx := connectWith(t, "xapt-123")
	if _, err := stranger.Datasets.Get(ctx, "nowhere"); !errors.Is(err, axiom.ErrUnauthenticated) {
		t.Errorf("a token nobody has is %v", err)
	}
}

func TestDatasets(t *testing.T) {
	client, ctx := connect(t)
	name := dataset(t, ctx, client)
	updated := must[*axiom.Dataset](t)(client.Datasets.Update(ctx, name, axiom.DatasetUpdateRequest{Description: "other"}))
	equal(t, updated.Description, "other")
	equal(t, must[*axiom.Dataset](t)(client.Datasets.Get(ctx, name)), updated)
	all := must[[]*axiom.Dataset](t)(client.Datasets.List(ctx))
	if !slices.ContainsFunc(all, func(each *axiom.Dataset) bool { return reflect.DeepEqual(each, updated) }) {
		t.Error("the list does not have the dataset as it is")
	}
	equal(t, must[string](t)(client.Datasets.CreateMapField(ctx, name, "geo")), "geo")
	if _, err := client.Datasets.UpdateMapFields(ctx, name, axiom.MapFields{"dupe", "dupe"}); err == nil {
		t.Error("a map field was taken twice")
	}
	if err := client.Datasets.DeleteMapField(ctx, name, "geo"); err != nil {
		t.Error(err)
	}
	if err := client.Datasets.Trim(ctx, name, time.Second); err != nil {
		t.Error(err)
	}
}

func TestIngest(t *testing.T) {
	client, ctx := connect(t)
	name := dataset(t, ctx, client)
	stream := func(encode axiom.ContentEncoder) io.Reader {
		if encode == nil {
			return strings.NewReader(events)
		}
		return must[io.Reader](t)(encode(strings.NewReader(events)))
	}
	maps := []axiom.Event{{"path": "/a", "status": 200}, {"path": "/b", "status": 404}}
	channel := func() <-chan axiom.Event {
		c := make(chan axiom.Event, len(maps))
		for _, event := range maps {
			c <- event
		}
		close(c)
		return c
	}
	const csv = "path,status\n/a,200\n/b,404\n"
	const lines = "{\"path\":\"/a\",\"status\":200}\n{\"path\":\"/b\",\"status\":404}\n"
	label := ingest.SetEventLabel("region", "eu-west-1")
	for _, way := range []struct {
		name  string
		bytes int
		send  func() (*ingest.Status, error)
	}{
		{"JSON with a label", len(events) + 22, func() (*ingest.Status, error) {
			return client.Datasets.Ingest(ctx, name, stream(nil), axiom.JSON, axiom.Identity, label)
		}},
		{"gzip", len(events), func() (*ingest.Status, error) {
			return client.Datasets.Ingest(ctx, name, stream(axiom.GzipEncoder()), axiom.JSON, axiom.Gzip)
		}},
		{"zstd", len(events), func() (*ingest.Status, error) {
			return client.Datasets.Ingest(ctx, name, stream(axiom.ZstdEncoder()), axiom.JSON, axiom.Zstd)
		}},
		{"maps", len(lines), func() (*ingest.Status, error) { return client.Datasets.IngestEvents(ctx, name, maps) }},
		{"a channel", len(lines), func() (*ingest.Status, error) { return client.Datasets.IngestChannel(ctx, name, channel()) }},
		{"CSV", len(csv), func() (*ingest.Status, error) {
			return client.Datasets.Ingest(ctx, name, strings.NewReader(csv), axiom.CSV, axiom.Identity)
		}},
		{"CSV without a header", len(csv) - 12, func() (*ingest.Status, error) {
			rows := bytes.NewBufferString(csv[12:])
			return client.Datasets.Ingest(ctx, name, rows, axiom.CSV, axiom.Identity, ingest.SetCSVFields("path", "status"))
		}},
	} {
		t.Run(way.name, func(t *testing.T) {
			status := must[*ingest.Status](t)(way.send())
			equal(t, []int{int(status.Ingested), int(status.Failed), len(status.Failures)}, []int{2, 0, 0})
			equal(t, int(status.ProcessedBytes), way.bytes)
		})
	}
	equal(t, count(t, ctx, client, name), 14)
}

func TestQueries(t *testing.T) {
	client, ctx := connect(t)
	name := dataset(t, ctx, client)
	now := time.Now().Truncate(time.Second)
	for n, path := range []string{"/a", "/b", "/a"} {
		at := now.Add(time.Duration(n-3) * time.Second)
		must[*ingest.Status](t)(client.Datasets.IngestEvents(ctx, name, []axiom.Event{{"_time": at, "path": path}}))
	}
	start, end := query.SetStartTime(now.Add(-time.Minute)), query.SetEndTime(now.Add(time.Minute))

	result := must[*query.Result](t)(client.Datasets.Query(ctx, fmt.Sprintf("['%s'] | sort by _time", name), start, end))
	equal(t, []uint64{result.Status.RowsExamined, result.Status.RowsMatched}, []uint64{3, 3})
	if result.Status.ElapsedTime == 0 {
		t.Error("no time elapsed")
	}
	equal(t, len(result.Tables), 1)
	equal(t, []any(result.Tables[0].Columns[2]), []any{"/a", "/b", "/a"})

	top := must[*query.Result](t)(client.Datasets.Query(ctx, fmt.Sprintf("['%s'] | summarize topk(path, 1)", name), start, end))
	equal(t, top.Tables[0].Fields[0].Aggregation.Op, query.OpTopk)
	equal(t, top.Tables[0].Columns[0][0].([]any)[0], map[string]any{"key": "/a", "count": 2., "error": 0.})

	binned := must[*query.Result](t)(client.Datasets.Query(ctx, fmt.Sprintf("['%s'] | summarize count() by bin(_time, 1h), path", name), start, end))
	equal(t, len(binned.Tables), 2)

	seen := 0
	for cursor := ""; ; {
		page := must[*query.Result](t)(client.Datasets.Query(ctx, fmt.Sprintf("['%s'] | sort by _time desc | limit 2", name), start, end, query.SetCursor(cursor, false)))
		seen += len(page.Tables[0].Columns[0])
		if page.Status.MinCursor == cursor {
			break
		}
		cursor = page.Status.MinCursor
	}
	equal(t, seen, 3)

	legacy := querylegacy.Query{StartTime: now.Add(-time.Minute), EndTime: now.Add(time.Minute)}
	found := must[*querylegacy.Result](t)(client.Datasets.QueryLegacy(ctx, name, legacy, querylegacy.Options{}))
	equal(t, len(found.Matches), 3)
	legacy.Aggregations = []querylegacy.Aggregation{{Alias: "n", Op: querylegacy.OpCount, Field: "*"}}
	legacy.GroupBy = []string{"path"}
	found = must[*querylegacy.Result](t)(client.Datasets.QueryLegacy(ctx, name, legacy, querylegacy.Options{SaveKind: querylegacy.Analytics}))
	if found.SavedQueryID == "" {
		t.Error("a query that was to be kept has no id")
	}
	equal(t, len(found.Buckets.Totals), 2)
	equal(t, found.Buckets.Totals[0].Aggregations[0].Alias, "n")
}

func TestTokens(t *testing.T) {
	client, ctx := connect(t)
	created := must[*axiom.CreateTokenResponse](t)(client.Tokens.Create(ctx, axiom.CreateTokenRequest{
		Name:                "go",
		DatasetCapabilities: map[string]axiom.DatasetCapabilities{"*": {Ingest: []axiom.Action{axiom.ActionCreate}}},
	}))
	equal(t, must[*axiom.APIToken](t)(client.Tokens.Get(ctx, created.ID)), &created.APIToken)
	name := dataset(t, ctx, client)
	limited, ctx := connectWith(t, created.Token)
	must[*ingest.Status](t)(limited.Datasets.IngestEvents(ctx, name, []axiom.Event{{"a": 1}}))
	if _, err := limited.Datasets.Query(ctx, fmt.Sprintf("['%s']", name)); !errors.Is(err, axiom.ErrUnauthorized) {
		t.Errorf("a token that may not query is told %v", err)
	}
	fresh := must[*axiom.CreateTokenResponse](t)(client.Tokens.Regenerate(ctx, created.ID, axiom.RegenerateTokenRequest{
		ExistingTokenExpiresAt: time.Now(),
		NewTokenExpiresAt:      time.Now().Add(time.Hour),
	}))
	all := must[[]*axiom.APIToken](t)(client.Tokens.List(ctx))
	has := func(token *axiom.APIToken) bool {
		return slices.ContainsFunc(all, func(each *axiom.APIToken) bool { return reflect.DeepEqual(each, token) })
	}
	equal(t, []bool{has(&created.APIToken), has(&fresh.APIToken)}, []bool{false, true})
	if err := client.Tokens.Delete(ctx, fresh.ID); err != nil {
		t.Error(err)
	}
}

func TestAnnotationsAndVirtualFields(t *testing.T) {
	client, ctx := connect(t)
	name := dataset(t, ctx, client)
	made := must[*axiom.Annotation](t)(client.Annotations.Create(ctx, &axiom.AnnotationCreateRequest{Datasets: []string{name}, Type: "deploy"}))
	filter := &axiom.AnnotationsFilter{Datasets: []string{name}}
	equal(t, len(must[[]*axiom.Annotation](t)(client.Annotations.List(ctx, filter))), 1)
	must[*axiom.Annotation](t)(client.Annotations.Update(ctx, made.ID, &axiom.AnnotationUpdateRequest{Datasets: []string{"other"}}))
	equal(t, len(must[[]*axiom.Annotation](t)(client.Annotations.List(ctx, filter))), 0)
	if err := client.Annotations.Delete(ctx, made.ID); err != nil {
		t.Error(err)
	}

	sum := axiom.VirtualField{Dataset: name, Name: "Sum", Expression: "a + b", Type: "number"}
	field := must[*axiom.VirtualFieldWithID](t)(client.VirtualFields.Create(ctx, sum))
	sum.Expression = "a * b"
	updated := must[*axiom.VirtualFieldWithID](t)(client.VirtualFields.Update(ctx, field.ID, sum))
	equal(t, must[*axiom.VirtualFieldWithID](t)(client.VirtualFields.Get(ctx, field.ID)), updated)
	if err := client.VirtualFields.Delete(ctx, field.ID); err != nil {
		t.Error(err)
	}
}

func TestLogger(t *testing.T) {
	client, ctx := connect(t)
	name := dataset(t, ctx, client)
	handler := must[*adapter.Handler](t)(adapter.New(adapter.SetClient(client), adapter.SetDataset(name)))
	slog.New(handler).With("service", "shop").Info("hello", slog.Group("request", "method", "GET"))
	handler.Close()
	equal(t, count(t, ctx, client, name), 1)
}

func TestMain(m *testing.M) {
	if os.Getenv("AXIOM_URL") == "" {
		fmt.Fprintln(os.Stderr, "AXIOM_URL must name the server to test; npm run conformance starts one")
		os.Exit(2)
	}
	os.Exit(m.Run())
}
