// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.depot;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.stereotype.Component;

/** Another module, which listens, and announces something itself. */
@Component
public class Warehouse {

  private final ApplicationEventPublisher events;
  private final List<String> heard = new CopyOnWriteArrayList<>();

  Warehouse(ApplicationEventPublisher events) {
    this.events = events;
  }

  @ApplicationModuleListener
  void on(CrateSent sent) {
    heard.add(sent.id());
    events.publishEvent(new CrateOpened(sent.id()));
  }

  /** Returns the ids of the crates that it heard of. */
  public List<String> heard() {
    return List.copyOf(heard);
  }
}
