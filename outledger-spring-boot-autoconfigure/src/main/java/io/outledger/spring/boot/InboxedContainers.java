// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.Problems;
import io.outledger.spring.Inboxed;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Refuses the start of an application whose containers pass a message on that was not processed,
 * and so would lose it, or have it processed twice; {@code @Inboxed} parks nothing. It looks just
 * before the containers start.
 */
final class InboxedContainers implements SmartLifecycle {

  /** Just before that of Spring's containers: Kafka's are the first to start. */
  static final int PHASE = DEFAULT_PHASE - 101;

  private final ConfigurableListableBeanFactory beans;
  private final ObjectProvider<ForeignContainers> containers;
  private boolean isRunning;

  InboxedContainers(
      ConfigurableListableBeanFactory beans, ObjectProvider<ForeignContainers> containers) {
    this.beans = beans;
    this.containers = containers;
  }

  @Override
  public void start() {
    List<AnnotatedMethods.Found<Inboxed>> all = AnnotatedMethods.find(beans, Inboxed.class);
    Problems problems = Problems.of("messages with @Inboxed would be lost, or take effect twice");
    containers.forEach(
        kind -> {
          List<ForeignContainers.Called> methods =
              all.stream()
                  .filter(each -> kind.mayCall(each.method()))
                  .map(
                      each ->
                          new ForeignContainers.Called(
                              each.method(), each.type().getName() + "." + each.method().getName()))
                  .toList();
          if (!methods.isEmpty()) {
            kind.check(methods, problems);
          }
        });
    problems.refuse();
    isRunning = true;
  }

  @Override
  public void stop() {
    isRunning = false;
  }

  @Override
  public boolean isRunning() {
    return isRunning;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
