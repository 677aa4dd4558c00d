// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.contracts.Fuzz;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/** Sends what the service takes, past the publisher: attributes of other types and meanings. */
final class SqsStrangers {

  private static final int ATTRIBUTES_MAX = 10;
  private static final int NAME_CHARS_MAX = 256;
  private static final int BODY_MAX = 50_000;

  private final String url;

  SqsStrangers(String url) {
    this.url = url;
  }

  Map<String, Runnable> named() {
    Map<String, Map<String, MessageAttributeValue>> attributes = new LinkedHashMap<>();
    attributes.put("no CloudEvent", Map.of());
    attributes.put("encoding that nobody knows", Map.of(SqsBinding.ENCODING, text("zip")));
    attributes.put("Base64 that is none", Map.of(SqsBinding.ENCODING, text(SqsBinding.BASE64)));
    attributes.put("version as bytes", Map.of("ce_specversion", bytes(new byte[] {(byte) 0xff})));
    attributes.put("headers in a form that is none", Map.of(SqsBinding.REST, text("%zz=&=&&%")));
    attributes.put(
        "more headers than any has", Map.of(SqsBinding.REST, text("a=b&".repeat(9_000))));
    attributes.put("long id", event("i".repeat(9_000)));
    attributes.put("id that is twice", twice());
    Map<String, Runnable> strangers = new LinkedHashMap<>();
    attributes.forEach((name, all) -> strangers.put(name, () -> sendTaken(name, all)));
    return strangers;
  }

  private static Map<String, MessageAttributeValue> event(String id) {
    Map<String, MessageAttributeValue> all = new HashMap<>();
    Map.of("ce_specversion", "1.0", "ce_id", id, "ce_source", "/s", "ce_type", "t")
        .forEach((name, value) -> all.put(name, text(value)));
    return all;
  }

  private static Map<String, MessageAttributeValue> twice() {
    Map<String, MessageAttributeValue> all = event("first");
    all.put(SqsBinding.REST, text("ce_id=second"));
    return all;
  }

  static MessageAttributeValue text(String value) {
    return MessageAttributeValue.builder().dataType("String").stringValue(value).build();
  }

  private static MessageAttributeValue bytes(byte[] value) {
    return MessageAttributeValue.builder()
        .dataType("Binary")
        .binaryValue(SdkBytes.fromByteArray(value))
        .build();
  }

  private void sendTaken(String name, Map<String, MessageAttributeValue> attributes) {
    if (!send("a", "?", attributes)) {
      throw new AssertionError("the service refused " + name);
    }
  }

  boolean send(Fuzz fuzz) {
    Map<String, MessageAttributeValue> attributes = new HashMap<>();
    Map<String, String> headers =
        fuzz.headers(SqsBinding.PREFIX, () -> fuzz.textWithout("[\\p{Cntrl}\uFFFE]"));
    headers.forEach(
        (name, value) -> {
          // Only such names does SQS take; ElasticMQ takes any, and the client cannot read them.
          String legal = name.replaceAll("[^A-Za-z0-9_-]", "");
          if (attributes.size() < ATTRIBUTES_MAX - 2 && !legal.isEmpty()) {
            String shorter = legal.substring(0, Math.min(legal.length(), NAME_CHARS_MAX));
            attributes.put(shorter, attribute(fuzz, value));
          }
        });
    if (fuzz.isOneIn(4)) {
      attributes.put(SqsBinding.REST, text("a" + fuzz.textWithout("[\\p{Cntrl}\uFFFE]") + "=b&%"));
    }
    if (fuzz.isOneIn(4)) {
      attributes.put(SqsBinding.ENCODING, text(fuzz.oneOf("base64", "empty", "gzip")));
    }
    String body = "?" + fuzz.textWithout("[\\p{Cntrl}\uFFFE]");
    String group = fuzz.oneOf("a", "key-1", "c");
    return send(group, body.substring(0, Math.min(body.length(), BODY_MAX)), attributes);
  }

  private static MessageAttributeValue attribute(Fuzz fuzz, String value) {
    return switch (fuzz.below(20)) {
      case 0 -> bytes(fuzz.mutated(value.getBytes(UTF_8)));
      case 1 ->
          MessageAttributeValue.builder()
              .dataType("Number")
              .stringValue(String.valueOf(fuzz.number()))
              .build();
      case 2 -> MessageAttributeValue.builder().dataType("String.odd").stringValue(value).build();
      default -> text(value);
    };
  }

  boolean send(String group, String body, Map<String, MessageAttributeValue> attributes) {
    try {
      var unused =
          SharedElasticMq.shared()
              .direct()
              .sendMessage(
                  request ->
                      request
                          .queueUrl(url)
                          .messageBody(body)
                          .messageAttributes(attributes)
                          .messageGroupId(group)
                          .messageDeduplicationId(UUID.randomUUID().toString()))
              .join();
      return true;
    } catch (CompletionException e) {
      return false;
    }
  }
}
