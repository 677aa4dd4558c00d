// SPDX-License-Identifier: Apache-2.0
package io.outledger.modulith;

import io.outledger.Problems;
import java.util.List;
import java.util.Locale;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.modulith.events.core.ConditionalEventListener;

/**
 * Refuses to start where something else sends externalised events, too: each would leave twice. It
 * looks at the definitions of beans and makes none.
 */
final class OneWayOut implements BeanFactoryPostProcessor {

  private static final String MODE = "spring.modulith.events.externalization.mode";
  private static final List<String> OTHER_OUTBOXES =
      List.of(
          "org.springframework.modulith.events.namastack.",
          "org.springframework.modulith.events.jobrunr.");

  private final Environment environment;

  OneWayOut(Environment environment) {
    this.environment = environment;
  }

  @Override
  public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
    Problems problems =
        Problems.of(
            "outledger-modulith appends the events that Spring Modulith"
                + " externalises, so nothing else may send them, or each would leave twice");
    String mode = environment.getProperty(MODE, "outbox");
    if (!mode.toLowerCase(Locale.ROOT).equals("outbox")) {
      problems.add(MODE + " is " + mode + ": remove it, or set it to outbox");
    }
    for (String name : beans.getBeanNamesForType(ConditionalEventListener.class, true, false)) {
      if (!beans.isTypeMatch(name, EarlierPublications.class)) {
        problems.add(
            "the bean "
                + name
                + " sends them after the commit: remove the dependency on Modulith's module for the"
                + " broker, such as spring-modulith-events-kafka, or with Modulith 2.1 set "
                + MODE
                + "=outbox");
      }
    }
    for (String name : beans.getBeanDefinitionNames()) {
      Class<?> type = beans.getType(name, false);
      if (type != null && OTHER_OUTBOXES.stream().anyMatch(type.getName()::startsWith)) {
        problems.add(
            "the bean " + name + " stores them in another outbox: remove the dependency on it");
      }
    }
    problems.refuse();
  }
}
