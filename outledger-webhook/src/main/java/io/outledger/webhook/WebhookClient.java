// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.publish.BlockingClient;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.PublisherClient;
import io.outledger.time.TimeSource;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLHandshakeException;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.DefaultClientConnectionReuseStrategy;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.io.Closer;
import org.apache.hc.core5.util.Timeout;

/** Posts messages with a pool of connections, on threads of its own. */
final class WebhookClient implements PublisherClient {

  private static final int ANSWER_BYTES_MAX = 2_048;
  private static final int PER_HOST_MAX = 1_000;
  private static final String RETRY_AFTER = "Retry-After";

  private final WebhookPublisher publisher;
  private final TimeSource time;
  private final Duration timeMax;
  private final RequestBodies bodies;
  private final ExecutorService executor;
  private final CloseableHttpClient publicOnes;
  private final CloseableHttpClient ownOnes;
  private final ScheduledThreadPoolExecutor deadlines;
  private final BlockingClient calls;
  private final Map<WebhookEndpoint, EndpointState> states = new ConcurrentHashMap<>();

  WebhookClient(WebhookPublisher publisher, Duration timeMax, Outcomes outcomes) {
    this.publisher = publisher;
    this.time = publisher.clock();
    this.timeMax = timeMax;
    this.bodies = new RequestBodies(publisher.sourceUri(), time);
    this.publicOnes = http(connections().setDnsResolver(new PublicAddresses()));
    this.ownOnes = http(connections());
    AtomicInteger number = new AtomicInteger();
    this.executor =
        Executors.newFixedThreadPool(
            publisher.threadCount(),
            task -> new Thread(task, "outledger-webhook " + number.incrementAndGet()));
    this.deadlines =
        new ScheduledThreadPoolExecutor(1, task -> new Thread(task, "outledger-webhook deadlines"));
    deadlines.setRemoveOnCancelPolicy(true);
    this.calls = new BlockingClient(executor, this::send, outcomes);
  }

  @Override
  public void publish(long position, int attempt, Message message) {
    calls.publish(position, attempt, message);
  }

  @Override
  public void flush() {
    calls.flush();
  }

  @Override
  public Set<Long> recall() {
    return calls.recall();
  }

  /** Reports before it cuts the connections, since what fails after that is no message's fault. */
  @Override
  public void close() {
    calls.close();
    executor.shutdownNow();
    publicOnes.close(CloseMode.IMMEDIATE);
    ownOnes.close(CloseMode.IMMEDIATE);
    deadlines.shutdownNow();
  }

  private Outcome send(long position, int attempt, Message message) {
    WebhookEndpoint endpoint = publisher.endpoints().get(message.topic());
    if (endpoint == null) {
      endpoint = publisher.others();
    }
    if (endpoint == null) {
      return Outcome.topicUnavailable(
          "no webhook endpoint is configured for topic '"
              + message.topic()
              + "'; add it with WebhookPublisher.endpoint");
    }
    EndpointState state =
        states.computeIfAbsent(
            endpoint, one -> new EndpointState(one, publisher.hasOneEndpoint(), time));
    Outcome refusal = state.refusal();
    return refusal == null ? post(position, message, state) : refusal;
  }

  private Outcome post(long position, Message message, EndpointState state) {
    try {
      return posted(bodies.request(state.endpoint(), position, message), state);
    } catch (InvalidMessageException e) {
      String reason = String.valueOf(e.getMessage());
      boolean isTooLarge = e.code() == ErrorCode.PAYLOAD_TOO_LARGE; // for the limit that is set
      return isTooLarge ? Outcome.rejected(reason) : Outcome.refused(reason);
    }
  }

  private Outcome posted(HttpPost request, EndpointState state) {
    WebhookEndpoint endpoint = state.endpoint();
    Duration limit = shorter(endpoint.choices().timeout(), timeMax);
    HttpClientContext context = HttpClientContext.create();
    try {
      return state.answered(execute(request, endpoint, limit, context));
    } catch (PublicAddresses.RefusedException e) {
      return Outcome.topicUnavailable(String.valueOf(e.getMessage()));
    } catch (SSLHandshakeException e) {
      return state.away("no TLS connection to " + endpoint + ": " + e.getMessage());
    } catch (UnknownHostException e) {
      return state.away("the host of " + endpoint + " is unknown");
    } catch (ConnectException | ConnectTimeoutException | NoRouteToHostException e) {
      return state.away("cannot connect to " + endpoint + ": " + e.getMessage());
    } catch (MessageConstraintException | ClientProtocolException e) {
      return state.unreadable(e);
    } catch (IOException e) {
      boolean wasSent = context.getEndpointDetails() != null;
      boolean isLate = request.isCancelled() || e instanceof SocketTimeoutException;
      return wasSent && isLate
          ? state.late(limit)
          : state.unknown("no answer from " + endpoint + ": " + e);
    }
  }

  /** A time limit for the whole: the client's own are for each read, and bytes may come slowly. */
  private Answer execute(
      HttpPost request, WebhookEndpoint endpoint, Duration limit, HttpClientContext context)
      throws IOException {
    request.setConfig(config(Timeout.of(limit)));
    Future<?> deadline = deadlines.schedule(request::cancel, limit.toNanos(), TimeUnit.NANOSECONDS);
    try {
      CloseableHttpClient http = endpoint.isInOwnNetwork() ? ownOnes : publicOnes;
      ClassicHttpResponse response = http.executeOpen(null, request, context);
      try {
        return answer(request, response);
      } finally {
        Closer.closeQuietly(response); // the answer is known, whatever becomes of the connection
      }
    } finally {
      deadline.cancel(false);
    }
  }

  /** Reads the status and the beginning of the body. */
  private Answer answer(HttpPost request, ClassicHttpResponse response) throws IOException {
    Header retryAfter = response.getFirstHeader(RETRY_AFTER);
    HttpEntity body = response.getEntity();
    byte[] beginning = body == null ? new byte[0] : body.getContent().readNBytes(ANSWER_BYTES_MAX);
    if (beginning.length == ANSWER_BYTES_MAX) {
      request.cancel(); // else closing would read to its end what may have none
    }
    return Answer.of(
        response.getCode(),
        retryAfter == null ? null : retryAfter.getValue(),
        new String(beginning, UTF_8),
        time.now());
  }

  private static RequestConfig config(Timeout limit) {
    return RequestConfig.custom()
        .setConnectionRequestTimeout(limit)
        .setResponseTimeout(limit)
        .build();
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  private PoolingHttpClientConnectionManagerBuilder connections() {
    return PoolingHttpClientConnectionManagerBuilder.create()
        .setMaxConnTotal(publisher.threadCount())
        .setMaxConnPerRoute(PER_HOST_MAX)
        .setDefaultConnectionConfig(
            ConnectionConfig.custom().setConnectTimeout(Timeout.of(connectTime())).build());
  }

  private Duration connectTime() {
    WebhookEndpoint others = publisher.others();
    Duration longest = others == null ? Duration.ZERO : others.choices().timeout();
    for (WebhookEndpoint endpoint : publisher.endpoints().values()) {
      Duration own = endpoint.choices().timeout();
      longest = own.compareTo(longest) > 0 ? own : longest;
    }
    return shorter(longest.isZero() ? timeMax : longest, timeMax);
  }

  private static CloseableHttpClient http(PoolingHttpClientConnectionManagerBuilder connections) {
    return HttpClientBuilder.create()
        .setConnectionManager(connections.build())
        // A server that refuses a request may not have read it, and cut the connection later.
        .setConnectionReuseStrategy(
            (request, response, context) ->
                response.getCode() < 300
                    && DefaultClientConnectionReuseStrategy.INSTANCE.keepAlive(
                        request, response, context))
        .disableAutomaticRetries() // the relay tries again, and knows that it does
        .disableRedirectHandling()
        .disableCookieManagement()
        .disableAuthCaching()
        .disableContentCompression() // an answer that expands has nothing to say
        .setUserAgent("outledger-webhook")
        .build();
  }
}
