// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.cloudevents.CloudEventWriter;
import io.outledger.cloudevents.ReservedHeaders;
import io.outledger.time.TimeSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;

/** Makes requests of messages. Thread-safe. */
final class RequestBodies {

  private final ThreadLocal<CloudEventWriter<Header>> binary;
  private final ThreadLocal<CloudEventWriter<Map.Entry<String, String>>> structured;
  private final TimeSource time;

  RequestBodies(String source, TimeSource time) {
    this.binary =
        ThreadLocal.withInitial(
            () ->
                new CloudEventWriter<>(
                    EventHeaders.PREFIX, source, EventHeaders.RESERVED, EventHeaders::header));
    this.structured =
        ThreadLocal.withInitial(
            () ->
                new CloudEventWriter<>(
                    "",
                    source,
                    ReservedHeaders.NONE, // within the body they mean nothing to a server
                    (name, utf8) -> Map.entry(name, new String(utf8, UTF_8))));
    this.time = time;
  }

  /**
   * Makes the request that posts a message.
   *
   * @throws InvalidMessageException {@code OUT-013} if its body is larger than the endpoint's
   *     limit, {@code OUT-014} if HTTP cannot carry one of its headers
   */
  HttpPost request(WebhookEndpoint endpoint, long position, Message message) {
    HttpPost request = new HttpPost(endpoint.uri());
    endpoint.choices().headers().forEach(request::setHeader);
    byte[] body = message.payload();
    ContentType type = null;
    if (endpoint.choices().binary()) {
      binary.get().write(position, message).forEach(request::addHeader);
    } else {
      body = StructuredEvent.write(structured.get().write(position, message), body);
      type = ContentType.create(StructuredEvent.MEDIA_TYPE, UTF_8);
    }
    if (body.length > endpoint.choices().bodyBytesMax()) {
      throw new InvalidMessageException(
          ErrorCode.PAYLOAD_TOO_LARGE,
          "message "
              + message.id()
              + " needs a body of "
              + body.length
              + " bytes, but the limit of "
              + endpoint
              + " is "
              + endpoint.choices().bodyBytesMax());
    }
    sign(request, endpoint.choices().secrets(), message.id().toString(), body);
    request.setEntity(new ByteArrayEntity(body, type));
    return request;
  }

  private void sign(HttpPost request, List<WebhookSecret> secrets, String id, byte[] body) {
    String timestamp = Long.toString(time.now().getEpochSecond());
    request.setHeader(EventHeaders.ID, id);
    request.setHeader(EventHeaders.TIMESTAMP, timestamp);
    if (!secrets.isEmpty()) {
      request.setHeader(
          EventHeaders.SIGNATURE,
          secrets.stream()
              .map(secret -> secret.sign(id, timestamp, body))
              .collect(Collectors.joining(" ")));
    }
  }
}
