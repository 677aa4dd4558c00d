// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.time.TimeSource;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A schema registry with Confluent's HTTP API, such as Confluent's own, Apicurio's ({@code
 * /apis/ccompat/v7}), Karapace or Redpanda's.
 *
 * <p>Redirections are not followed, and an answer of more than 1 MiB is broken off. Errors name the
 * registry by its host, and contain what it said, but no path and no header, which may be secret.
 *
 * <p>Immutable and thread-safe; each setter returns a copy.
 */
public final class SchemaRegistry {

  private static final Duration ANSWER_DEFAULT = Duration.ofSeconds(5);
  private static final Duration ANSWER_MAX = Duration.ofMinutes(1);
  private static final String JSON = "application/vnd.schemaregistry.v1+json";
  private static final JsonMapper MAPPER = new JsonMapper();

  private final URI base;
  private final RegistryCalls calls;
  private final Map<String, String> headers;

  private SchemaRegistry(URI base, RegistryCalls calls, Map<String, String> headers) {
    this.base = base;
    this.calls = calls;
    this.headers = headers;
  }

  /**
   * Makes one. Nothing is asked yet.
   *
   * @param uri where it is, such as {@code https://registry:8081} or {@code
   *     http://apicurio:8080/apis/ccompat/v7}
   * @throws ConfigurationException {@code OUT-021} if it is no address of HTTP, or has a user, a
   *     query or a fragment
   */
  public static SchemaRegistry at(URI uri) {
    Require.nonNull("uri", uri);
    boolean isHttp =
        "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
    if (!isHttp || uri.getHost() == null) {
      throw refused("uri must be an address such as https://registry:8081");
    }
    if (uri.getRawUserInfo() != null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
      throw refused(
          "uri must have no user, query or fragment; give credentials with basicAuth(…) or"
              + " header(…)");
    }
    String text = uri.toString();
    String shown = uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
    return new SchemaRegistry(
        URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text),
        new RegistryCalls(shown, RegistryCalls.newClient(), ANSWER_DEFAULT),
        Map.of());
  }

  private static ConfigurationException refused(String why) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, why);
  }

  /**
   * Returns one that sends a header with each request, such as {@code Authorization}.
   *
   * @throws ConfigurationException {@code OUT-021} if HTTP knows no such header, or no such value
   */
  public SchemaRegistry header(String name, String value) {
    Map<String, String> all = new TreeMap<>(headers);
    all.put(Require.nonNull("name", name), Require.nonNull("header", value));
    try {
      HttpRequest.newBuilder(base).header(name, value);
    } catch (IllegalArgumentException e) { // its text quotes the value
      throw refused("header(…): " + name + " cannot be sent, or not with this value");
    }
    return new SchemaRegistry(base, calls, all);
  }

  /**
   * Returns one that sends a user's name and password with each request: readable by everybody in
   * between, unless the address is {@code https}.
   */
  public SchemaRegistry basicAuth(String user, String password) {
    String both = Require.nonNull("user", user) + ":" + Require.nonNull("password", password);
    return header(
        "Authorization", "Basic " + Base64.getEncoder().encodeToString(both.getBytes(UTF_8)));
  }

  /**
   * Returns one that waits so long for an answer, connecting included; for the id of a schema, and
   * all to which that refers, so long together.
   *
   * @param value more than zero, and one minute at most; the default is 5 seconds. A relay waits
   *     beside: what has no id within half a second is an outage of its route until the answer is
   *     there, and other routes go on
   * @throws ConfigurationException {@code OUT-021} if it is out of range
   */
  public SchemaRegistry answerMax(Duration value) {
    Require.nonNull("answerMax", value);
    if (value.isZero() || value.isNegative() || value.compareTo(ANSWER_MAX) > 0) {
      throw refused("answerMax must be more than zero, and one minute at most");
    }
    return new SchemaRegistry(base, calls.within(value), headers);
  }

  /**
   * Returns one that asks with another client, for example with certificates or a proxy of your
   * own. The default trusts what Java trusts, and uses no proxy.
   */
  public SchemaRegistry client(HttpClient value) {
    return new SchemaRegistry(base, calls.by(Require.nonNull("client", value)), headers);
  }

  /**
   * Registers a schema, or finds that it is registered, and waits for the answer: for a program
   * that must not start, or a deployment that must not go on, with a schema that the registry
   * refuses. A {@link WireFormatPublisher} does the same by itself, once it needs the schema. What
   * the schema refers to is registered before it, each under its name.
   *
   * @param subject under which it is registered, such as {@code orders-value}
   * @param schema as its serializer returns it
   * @return its id
   * @throws ConfigurationException {@code OUT-021} if the registry refuses it, for example because
   *     it is incompatible with an earlier one: with what the registry says of the difference
   * @throws DestinationUnavailableException {@code OUT-022} if the registry does not answer, or
   *     says nothing of the schema
   */
  public int register(String subject, RegistrySchema schema) {
    Require.nonNull("subject", subject);
    Require.nonNull("schema", schema);
    RegistryAnswer answer =
        awaited(new Registration(this, true, TimeSource.system()).of(subject, schema));
    if (answer instanceof RegistryAnswer.Given given) {
      return given.body().path("id").asInt();
    }
    if (answer instanceof RegistryAnswer.Refused refused) {
      throw refused("the schema of " + schema.name() + " as " + subject + ": " + refused.why());
    }
    throw new DestinationUnavailableException(((RegistryAnswer.Away) answer).why(), null);
  }

  /**
   * Registers a schema, or finds that it is registered.
   *
   * @param versions of what it refers to, by name
   * @param left how long that may take
   * @return with an {@code id}, if it was given; never fails
   */
  CompletableFuture<RegistryAnswer> register(
      String subject, RegistrySchema schema, Map<String, Integer> versions, Duration left) {
    return calls.ask(
        posted("/subjects/" + segment(subject) + "/versions", schema, versions),
        SchemaRegistry::hasId,
        left);
  }

  /**
   * Asks for a schema that is registered.
   *
   * @param versions of what it refers to, by name
   * @param left how long that may take
   * @return with its id and its version, if it was given; never fails
   */
  CompletableFuture<RegistryAnswer> lookUp(
      String subject, RegistrySchema schema, Map<String, Integer> versions, Duration left) {
    return calls.ask(
        posted("/subjects/" + segment(subject), schema, versions),
        answer -> hasId(answer) && answer.path("version").isInt(),
        left);
  }

  private HttpRequest.Builder posted(
      String path, RegistrySchema schema, Map<String, Integer> versions) {
    ObjectNode body = MAPPER.createObjectNode().put("schema", schema.text());
    if (schema.type() != RegistrySchema.Type.AVRO) { // which is what no type means
      body.put("schemaType", schema.type().name());
    }
    if (!schema.references().isEmpty()) {
      ArrayNode references = body.putArray("references");
      for (RegistrySchema.Reference each : schema.references()) {
        references
            .addObject()
            .put("name", each.name())
            .put("subject", each.name())
            .put("version", versions.get(each.name()));
      }
    }
    return request(path)
        .header("Content-Type", JSON)
        .POST(HttpRequest.BodyPublishers.ofString(body.toString()));
  }

  /** Asks for the schema of an id. Never fails; a schema that was given is a text. */
  CompletableFuture<RegistryAnswer> schemaOf(int id) {
    return calls.ask(
        request("/schemas/ids/" + Integer.toUnsignedString(id)).GET(),
        answer -> answer.path("schema").isTextual());
  }

  /**
   * Asks for the names of all subjects. Never fails. An array without one says nothing: a registry
   * leaves out those that may not be read.
   */
  CompletableFuture<RegistryAnswer> someSubjects() {
    return calls.ask(request("/subjects").GET(), answer -> answer.isArray() && !answer.isEmpty());
  }

  /** Asks for the numbers of a subject's versions. Never fails; what was given is an array. */
  CompletableFuture<RegistryAnswer> versionsOf(String subject) {
    return calls.ask(
        request("/subjects/" + segment(subject) + "/versions").GET(), answer -> answer.isArray());
  }

  /** Asks for a version of a subject. Never fails; what was given has an id and a schema. */
  CompletableFuture<RegistryAnswer> versionOf(String subject, int version) {
    return calls.ask(
        request("/subjects/" + segment(subject) + "/versions/" + version).GET(),
        answer -> hasId(answer) && answer.path("schema").isTextual());
  }

  /** Registries count from one: whatever else stands there is none, and is not kept for good. */
  private static boolean hasId(JsonNode answer) {
    return answer.path("id").isInt() && answer.path("id").asInt() > 0;
  }

  /** Waits for an answer, which comes in time. */
  static RegistryAnswer awaited(CompletableFuture<RegistryAnswer> answer) {
    try {
      return answer.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new RegistryAnswer.Away("interrupted while waiting for the schema registry", false);
    } catch (ExecutionException e) {
      return new RegistryAnswer.Away(
          "cannot ask the schema registry: " + Printable.text(e.getCause()), false);
    }
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path))
            .header("Accept", JSON + ", application/json");
    headers.forEach(request::setHeader);
    return request;
  }

  private static String segment(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  /** Names its host. */
  @Override
  public String toString() {
    return "SchemaRegistry[" + calls.host() + "]";
  }

  String host() {
    return calls.host();
  }

  Duration answerMax() {
    return calls.answerMax();
  }
}
