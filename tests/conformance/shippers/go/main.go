// Sends lines of standard input with the log drivers of Docker and libraries for Go, unchanged: `go run . NAME ADDRESS TOKEN DATASET`.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/docker/docker/daemon/logger"
	"github.com/docker/docker/daemon/logger/fluentd"
	"github.com/docker/docker/daemon/logger/splunk"
	"github.com/docker/docker/daemon/logger/syslog"
	"github.com/elastic/go-elasticsearch/v8"
	"github.com/elastic/go-elasticsearch/v8/esutil"
	"github.com/honeycombio/libhoney-go"
	"github.com/honeycombio/libhoney-go/transmission"
)

type sender func(address, token, dataset string, lines []string) error

var senders = map[string]sender{
	"docker-splunk": func(address, token, dataset string, lines []string) error {
		return docker(splunk.New, lines, map[string]string{
			"splunk-url": address, "splunk-token": token, "splunk-index": dataset, "splunk-format": "raw", "splunk-gzip": "true",
		})
	},
	"docker-fluentd": func(address, _, _ string, lines []string) error {
		return docker(fluentd.New, lines, map[string]string{"fluentd-address": address, "fluentd-request-ack": "true"})
	},
	"docker-syslog": func(address, _, _ string, lines []string) error {
		return docker(syslog.New, lines, map[string]string{"syslog-address": address, "syslog-format": "rfc5424micro", "tag": "docker"})
	},
	"go-elasticsearch": goElasticsearch,
	"libhoney-go":      libhoneyGo,
}

func docker(driver logger.Creator, lines []string, config map[string]string) error {
	info := logger.Info{
		Config: config, ContainerID: "0123456789abcdef", ContainerName: "/test", ContainerImageName: "test", ContainerImageID: "sha256:0",
	}
	log, err := driver(info)
	if err != nil {
		return err
	}
	for _, line := range lines {
		message := logger.NewMessage()
		message.Line = append(message.Line, line...)
		message.Source = "stdout"
		message.Timestamp = time.Now()
		if err := log.Log(message); err != nil {
			return err
		}
	}
	return log.Close()
}

func goElasticsearch(address, token, dataset string, lines []string) error {
	client, err := elasticsearch.NewClient(elasticsearch.Config{
		Addresses: []string{address + "/v1/ingest/" + dataset + "/elastic"}, Username: "axiom", Password: token, CompressRequestBody: true,
	})
	if err != nil {
		return err
	}
	indexer, err := esutil.NewBulkIndexer(esutil.BulkIndexerConfig{Client: client, Index: dataset, FlushBytes: 100_000})
	if err != nil {
		return err
	}
	for _, line := range lines {
		item := esutil.BulkIndexerItem{Action: "create", Body: strings.NewReader(fmt.Sprintf(`{"message":%q}`, line))}
		if err := indexer.Add(context.Background(), item); err != nil {
			return err
		}
	}
	if err := indexer.Close(context.Background()); err != nil {
		return err
	}
	if stats := indexer.Stats(); stats.NumFailed > 0 || stats.NumFlushed != uint64(len(lines)) {
		return fmt.Errorf("%+v", stats)
	}
	return nil
}

func libhoneyGo(address, token, dataset string, lines []string) error {
	client, err := libhoney.NewClient(libhoney.ClientConfig{
		APIKey: token, Dataset: dataset, APIHost: address,
		Transmission: &transmission.Honeycomb{MaxBatchSize: 500, BatchTimeout: 100 * time.Millisecond, MaxConcurrentBatches: 2, PendingWorkCapacity: 100_000, BlockOnSend: true},
	})
	if err != nil {
		return err
	}
	for _, line := range lines {
		event := client.NewEvent()
		event.AddField("message", line)
		if err := event.Send(); err != nil {
			return err
		}
	}
	delivered := 0
	for delivered < len(lines) {
		select {
		case answer := <-client.TxResponses():
			if answer.Err != nil || answer.StatusCode != 202 {
				return fmt.Errorf("%d %v %s", answer.StatusCode, answer.Err, answer.Body)
			}
			delivered++
		case <-time.After(30 * time.Second):
			return fmt.Errorf("only %d of %d were answered", delivered, len(lines))
		}
	}
	return nil
}

func main() {
	name, address, token, dataset := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	var lines []string
	for input := bufio.NewScanner(os.Stdin); input.Scan(); {
		lines = append(lines, input.Text())
	}
	if err := senders[name](address, token, dataset, lines); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
