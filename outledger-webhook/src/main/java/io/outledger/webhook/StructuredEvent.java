// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.outledger.cloudevents.CloudEvents;
import io.outledger.cloudevents.ReceivedHeaders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A CloudEvent in structured mode, in the JSON event format of CloudEvents 1.0. A payload that is
 * JSON stands in it as {@code data}, byte for byte; any other as {@code data_base64}. Headers whose
 * names cannot be attributes, which are lower-case letters and digits, are together in an extension
 * of our own, {@code outledgerheaders}, as JSON in a text.
 */
final class StructuredEvent {

  static final String MEDIA_TYPE = "application/cloudevents+json";

  private static final String HEADERS = "outledgerheaders";
  private static final String DATA = "data";
  private static final String DATA_BASE64 = "data_base64";
  private static final String DATA_CONTENT_TYPE = "datacontenttype";
  private static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
          .build();

  private StructuredEvent() {}

  /** Writes an event of its attributes and headers, and its payload. */
  static byte[] write(List<Map.Entry<String, String>> headers, byte[] payload) {
    ByteArrayOutputStream body = new ByteArrayOutputStream(payload.length + 512);
    Map<String, String> others = new TreeMap<>();
    String contentType = null;
    try (JsonGenerator json = JSON.createGenerator(body)) {
      json.writeStartObject();
      for (Map.Entry<String, String> header : headers) {
        String name = header.getKey();
        if (name.equals(CloudEvents.CONTENT_TYPE)) {
          contentType = header.getValue();
        } else if (isAttribute(name)) {
          json.writeStringField(name, header.getValue());
        } else {
          others.put(name, header.getValue());
        }
      }
      if (!others.isEmpty()) {
        json.writeStringField(HEADERS, text(others));
      }
      if (contentType != null) {
        json.writeStringField(DATA_CONTENT_TYPE, contentType);
      }
      writeData(json, payload, isJson(contentType));
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("nothing but memory is written", e);
    }
    return body.toByteArray();
  }

  /**
   * Reads an event's attributes and headers into the headers, and returns its payload.
   *
   * @throws IOException if it is no JSON object, or a part of it is not as the format has it
   */
  static byte[] read(byte[] body, ReceivedHeaders headers) throws IOException {
    byte[] payload = null;
    try (JsonParser json = JSON.createParser(body)) {
      require(json.nextToken() == JsonToken.START_OBJECT);
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        if (name.equals(DATA) || name.equals(DATA_BASE64)) {
          require(payload == null);
          payload = name.equals(DATA) ? raw(json, body) : json.getBinaryValue();
        } else if (name.equals(HEADERS) && value == JsonToken.VALUE_STRING) {
          readOthers(json.getText(), headers);
        } else if (name.equals(DATA_CONTENT_TYPE)) {
          headers.addText(CloudEvents.CONTENT_TYPE, json.getValueAsString());
        } else {
          require(value.isScalarValue());
          headers.addText(name, value == JsonToken.VALUE_NULL ? null : json.getText());
        }
      }
      require(json.currentToken() == JsonToken.END_OBJECT && json.nextToken() == null);
    }
    return payload == null ? new byte[0] : payload;
  }

  private static void writeData(JsonGenerator json, byte[] payload, boolean mayBeJson)
      throws IOException {
    if (payload.length == 0) {
      return;
    }
    String text = mayBeJson ? ReceivedHeaders.text(payload) : null;
    if (text != null && isOneValue(text)) {
      json.writeFieldName(DATA);
      json.writeRawValue(text);
    } else {
      json.writeBinaryField(DATA_BASE64, payload);
    }
  }

  /**
   * Says whether a text is one JSON value with nothing around it, so that it can be found again.
   */
  private static boolean isOneValue(String text) {
    if (!text.equals(text.strip())) {
      return false;
    }
    try (JsonParser json = JSON.createParser(text)) {
      if (json.nextToken() == null) {
        return false;
      }
      json.skipChildren();
      return json.nextToken() == null;
    } catch (IOException e) {
      return false;
    }
  }

  private static byte[] raw(JsonParser json, byte[] body) throws IOException {
    int from = (int) json.currentTokenLocation().getByteOffset();
    require(from >= 0); // unknown in any encoding but UTF-8, the only one that the format allows
    json.skipChildren();
    if (json.currentToken() == JsonToken.VALUE_STRING) {
      json.getTextLength(); // reads it to its end
    }
    return Arrays.copyOfRange(body, from, (int) json.currentLocation().getByteOffset());
  }

  private static String text(Map<String, String> headers) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      for (Map.Entry<String, String> header : headers.entrySet()) {
        json.writeStringField(header.getKey(), header.getValue());
      }
      json.writeEndObject();
    }
    return text.toString(UTF_8);
  }

  private static void readOthers(String text, ReceivedHeaders headers) throws IOException {
    try (JsonParser json = JSON.createParser(text)) {
      require(json.nextToken() == JsonToken.START_OBJECT);
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        require(json.nextToken() == JsonToken.VALUE_STRING && !isAttribute(name));
        headers.addText(name, json.getText());
      }
    }
  }

  /** The names that the specification allows for attributes; our own has no other use. */
  private static boolean isAttribute(String name) {
    return name.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
        && !name.equals(DATA)
        && !name.equals(HEADERS)
        && !name.equals(DATA_CONTENT_TYPE);
  }

  /** JSON is what CloudEvents take data for whose type is not given. */
  private static boolean isJson(@Nullable String contentType) {
    if (contentType == null) {
      return true;
    }
    String type = contentType.split(";", 2)[0].strip();
    return type.matches("(?i).+/(json|.+\\+json)");
  }

  private static void require(boolean holds) throws IOException {
    if (!holds) {
      throw new IOException("it is not in the JSON event format of CloudEvents");
    }
  }
}
