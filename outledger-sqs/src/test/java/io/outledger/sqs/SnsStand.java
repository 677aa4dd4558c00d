// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sns.SnsAsyncClient;

/**
 * Answers requests to SNS in the form that AWS documents. It is no SNS: it keeps what it was sent
 * and delivers nothing.
 */
final class SnsStand implements AutoCloseable {

  private static final int OK = 200;

  private final HttpServer server;
  private final List<Map<String, String>> requests = new CopyOnWriteArrayList<>();
  private volatile String failing = "";
  private volatile String refusal = "";

  SnsStand() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.start();
  }

  SnsAsyncClient client() {
    return SnsAsyncClient.builder()
        .endpointOverride(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")))
        .overrideConfiguration(limits -> limits.retryStrategy(AwsRetryStrategy.doNotRetry()))
        .build();
  }

  /** Has one message of each batch fail, by its number in it. */
  void fail(String number) {
    failing = number;
  }

  /** Has each request refused as a whole with one of AWS's codes; none where it is empty. */
  void refuse(String code) {
    refusal = code;
  }

  /** Returns the parameters of all requests. */
  List<Map<String, String>> requests() {
    return requests;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Map<String, String> parameters =
          parameters(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
      requests.add(parameters);
      byte[] answer = (refusal.isEmpty() ? answer(parameters) : refusal()).getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/xml");
      exchange.sendResponseHeaders(refusal.isEmpty() ? OK : 403, answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  private static Map<String, String> parameters(String form) {
    Map<String, String> parameters = new TreeMap<>();
    for (String pair : form.split("&", -1)) {
      int at = pair.indexOf('=');
      parameters.put(
          URLDecoder.decode(pair.substring(0, at), UTF_8),
          URLDecoder.decode(pair.substring(at + 1), UTF_8));
    }
    return parameters;
  }

  private String answer(Map<String, String> parameters) {
    StringBuilder sent = new StringBuilder();
    StringBuilder failed = new StringBuilder();
    for (int i = 1; i <= 10; i++) {
      String id = parameters.get("PublishBatchRequestEntries.member." + i + ".Id");
      if (id != null && id.equals(failing)) {
        failed.append(
            "<member><Id>%s</Id><Code>InternalError</Code><Message>on purpose</Message>"
                    .formatted(id)
                + "<SenderFault>false</SenderFault></member>");
      } else if (id != null) {
        sent.append("<member><Id>%s</Id><MessageId>m%s</MessageId></member>".formatted(id, id));
      }
    }
    return """
    <PublishBatchResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishBatchResult>
    <Successful>%s</Successful><Failed>%s</Failed></PublishBatchResult>
    <ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></PublishBatchResponse>
    """
        .formatted(sent, failed);
  }

  private String refusal() {
    return """
    <ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>Sender</Type>
    <Code>%s</Code><Message>on purpose</Message></Error><RequestId>r</RequestId></ErrorResponse>
    """
        .formatted(refusal);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
