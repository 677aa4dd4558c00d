// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ConfigurationException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** An application without a broker's module starts, and is told what to add where it is used. */
class MissingClientsTest {

  private static final List<String> HIDDEN =
      List.of(
          "io.outledger.kafka.",
          "io.outledger.rabbitmq.",
          "io.outledger.nats.",
          "io.outledger.jms.",
          "io.outledger.amqp.",
          "io.outledger.sqs.",
          "io.outledger.redis.",
          "io.outledger.mqtt.",
          "io.outledger.pulsar.",
          "io.outledger.webhook.",
          "io.outledger.mail.",
          "org.apache.kafka.",
          "com.rabbitmq.",
          "io.nats.",
          "jakarta.jms.",
          "org.apache.qpid.",
          "software.amazon.",
          "io.lettuce.",
          "com.hivemq.",
          "org.apache.pulsar.");

  /** What an application does with its properties, seen without the clients. */
  public static final class Start implements Callable<String> {

    /** Creates it. */
    public Start() {}

    @Override
    public String call() {
      BrokersOf plain = BrokersOf.properties("spring.kafka.bootstrap-servers=k-1:9092");
      PropertyProblems.check(plain.outledger());
      String made = plain.publishers().with(plain.beans()) + " " + plain.receivers().all();
      try {
        PropertyProblems.check(
            BrokersOf.properties(
                    "outledger.publishers.a.rabbitmq.enabled=true",
                    "outledger.publishers.b.sns.region=eu-central-1",
                    "outledger.receivers.c.kafka.topics=orders")
                .outledger());
      } catch (ConfigurationException e) {
        return made + " " + e.getMessage();
      }
      return made;
    }
  }

  @Test
  void noClassOfAMissingClientIsNeeded() throws Exception {
    try (WithoutClients loader = new WithoutClients()) {
      Callable<?> start =
          (Callable<?>)
              loader.loadClass(Start.class.getName()).getDeclaredConstructor().newInstance();

      assertThat(String.valueOf(start.call()))
          .startsWith("{} {} ")
          .contains(
              "outledger.publishers.a.rabbitmq is set, but outledger-rabbitmq is not there: add it",
              "outledger-sqs and software.amazon.awssdk:sns",
              "outledger.receivers.c.kafka is set, but outledger-kafka is not there: add it");
    }
  }

  /** Loads our own classes itself, so that they see what it sees. */
  private static final class WithoutClients extends URLClassLoader {

    WithoutClients() {
      super(
          new URL[] {place(OutledgerProperties.class), place(MissingClientsTest.class)},
          MissingClientsTest.class.getClassLoader());
    }

    private static URL place(Class<?> type) {
      return type.getProtectionDomain().getCodeSource().getLocation();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (HIDDEN.stream().anyMatch(name::startsWith)) {
        throw new ClassNotFoundException(name);
      }
      synchronized (getClassLoadingLock(name)) {
        if (name.startsWith("io.outledger.spring.boot.")) {
          Class<?> known = findLoadedClass(name);
          return known == null ? findClass(name) : known;
        }
      }
      return super.loadClass(name, resolve);
    }
  }
}
