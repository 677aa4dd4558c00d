// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.outledger.ConfigurationException;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.schemaregistry.RegistrySchema;
import io.outledger.schemaregistry.SchemaRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** A schema registry of the properties is a bean, and no secret of it is ever told. */
class ConfiguredSchemaRegistryTest {

  private static final RegistrySchema SCHEMA =
      RegistrySchema.of(RegistrySchema.Type.AVRO, "int", "\"int\"");

  private static final String PATH = "outledger.schema-registry";

  private static OutledgerProperties of(String... properties) {
    return BrokersOf.properties(properties).outledger();
  }

  private static AnnotationConfigApplicationContext application(String... properties) {
    BrokersOf sources = BrokersOf.properties(properties);
    AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext();
    application.setEnvironment(sources.environment());
    application.registerBean(OutledgerProperties.class, sources::outledger);
    application.register(ConfiguredSchemaRegistry.class);
    application.refresh();
    return application;
  }

  @Test
  void withAnAddressItIsABeanThatAsksAsTheUser() throws IOException {
    List<String> users = new CopyOnWriteArrayList<>();
    HttpServer peer =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    peer.createContext(
        "/",
        exchange -> {
          users.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
          exchange.sendResponseHeaders(503, -1);
          exchange.close();
        });
    peer.start();
    String url = PATH + ".url=http://127.0.0.1:" + peer.getAddress().getPort() + "/registry/";
    try (var application = application(url, PATH + ".username=shop", PATH + ".password=CANARY")) {
      SchemaRegistry registry = application.getBean(SchemaRegistry.class);
      assertThatThrownBy(() -> registry.register("orders-value", SCHEMA))
          .isInstanceOf(DestinationUnavailableException.class)
          .hasMessageContaining("status 503")
          .hasMessageNotContaining("CANARY");
      assertThat(users).containsExactly("Basic c2hvcDpDQU5BUlk=");
    } finally {
      peer.stop(0);
    }
  }

  @Test
  void withoutAnAddressThereIsNone() {
    try (var application = application()) {
      assertThat(application.getBeansOfType(SchemaRegistry.class)).isEmpty();
    }
    PropertyProblems.check(of());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "url=ftp://CANARY | url cannot be used: uri must be an address such as https",
        "url=http://CANARY:CANARY@registry | url cannot be used: uri must have no user",
        "url=http://CANARY registry | url cannot be used: it is no address such as https",
        "username=CANARY | url is missing, beside a user of it",
        "url=http://registry, username=CANARY | password is missing: set both, or neither",
        "url=http://registry, password=CANARY | username is missing: set both, or neither",
        "url=http://registry, answer-max=0s | answer-max cannot be used: answerMax must be more"
      })
  void whatCannotBeUsedIsRefusedByThePropertysNameAndWithoutItsValue(String given, String why) {
    String[] properties =
        List.of(given.split(", ", -1)).stream()
            .map(each -> PATH + "." + each)
            .toArray(String[]::new);
    assertThatThrownBy(() -> PropertyProblems.check(of(properties)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-021")
        .hasMessageContaining(PATH + "." + why)
        .hasMessageNotContaining("CANARY");
  }

  @Test
  void noSecretIsPrinted() {
    assertThat(of(PATH + ".url=http://CANARY", PATH + ".password=CANARY").toString())
        .doesNotContain("CANARY");
  }
}
