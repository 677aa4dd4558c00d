// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.spring.contract.depot.CrateSent;
import io.outledger.spring.contract.depot.CrateService;
import io.outledger.spring.contract.depot.DepotApplication;
import io.outledger.spring.contract.nameless.NamelessApplication;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.support.DelegatingEventExternalizer;

/** What stops the start of an application with Modulith, and what is switched off. */
public abstract class ModulithMistakesContract {

  private static final String[] PROPERTIES = {
    "spring.jpa.hibernate.ddl-auto=create",
    "spring.modulith.events.jdbc.schema-initialization.enabled=true",
    "outledger.schema-initialization=always",
    "outledger.relay.enabled=false"
  };
  private static final String MODE = "spring.modulith.events.externalization.mode=";

  /** Creates it. */
  protected ModulithMistakesContract() {}

  /** What each of Modulith's modules for brokers brings. */
  @Configuration(proxyBeanMethods = false)
  static class SendsToo {

    @Bean
    DelegatingEventExternalizer brokerExternalizer(EventExternalizationConfiguration said) {
      return new DelegatingEventExternalizer(
          said, (target, event) -> CompletableFuture.completedFuture(null));
    }
  }

  @Test
  void eventsWithoutANameStopTheStartAndAllAreListed() {
    assertThat(printed(List.of(NamelessApplication.class)))
        .contains(
            "NamelessApplication$LetterLost shares the target letters",
            "NamelessApplication$LetterSent shares the target letters",
            "NamelessApplication$LetterWritten has no target",
            "@OutboxEvent(name =");
  }

  @Test
  void aSecondWayOutStopsTheStart() {
    assertThat(printed(List.of(DepotApplication.class, SendsToo.class)))
        .contains("the bean brokerExternalizer sends them", "spring-modulith-events-kafka");
  }

  @Test
  void modulithsOwnModeStopsTheStart() {
    assertThat(printed(List.of(DepotApplication.class), MODE + "module-listener"))
        .contains("externalization.mode is module-listener", "set it to outbox");
  }

  @Test
  void theModeOfAnOutboxIsRespected() {
    assertThat(appended(MODE + "outbox")).isOne();
  }

  @Test
  void whatIsSwitchedOffIsNotAppended() {
    assertThat(appended("spring.modulith.events.externalization.enabled=false")).isZero();
  }

  @Test
  void withoutOutledgerModulithsPartStarts() {
    try (RunningShop depot =
        RunningShop.of(List.of(DepotApplication.class), with("outledger.enabled=false"))) {
      depot.bean(CrateService.class).publish(new CrateSent("c-1"));
    }
  }

  private static int appended(String property) {
    try (RunningShop depot = RunningShop.of(List.of(DepotApplication.class), with(property))) {
      depot.bean(CrateService.class).publish(new CrateSent("c-1"));
      return depot
          .bean(JdbcClient.class)
          .sql("SELECT count(*) FROM outledger_message WHERE topic = 'crates-sent'")
          .query(Integer.class)
          .single();
    }
  }

  private static String[] with(String... properties) {
    List<String> all = new ArrayList<>(List.of(PROPERTIES));
    all.addAll(List.of(properties));
    return all.toArray(String[]::new);
  }

  private static String printed(List<Class<?>> sources, String... properties) {
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      assertThatThrownBy(() -> RunningShop.of(sources, with(properties)).close())
          .isInstanceOf(Exception.class);
    } finally {
      System.setOut(out);
    }
    assertThat(printed.toString(UTF_8)).contains("APPLICATION FAILED TO START");
    return printed.toString(UTF_8).replaceAll("\\s+", " ");
  }
}
