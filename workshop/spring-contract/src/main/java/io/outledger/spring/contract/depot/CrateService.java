// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.depot;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** What is done with crates. */
@Service
@Transactional
public class CrateService {

  private final ApplicationEventPublisher events;
  private final Crates crates;

  CrateService(ApplicationEventPublisher events, Crates crates) {
    this.events = events;
    this.crates = crates;
  }

  /** Publishes an event. */
  public void publish(Object event) {
    events.publishEvent(event);
  }

  /** Publishes an event, and fails. */
  public void publishAndFail(Object event) {
    events.publishEvent(event);
    throw new IllegalStateException("no room");
  }

  /** Saves a filled crate, whose events Spring Data publishes. */
  public void save(String id) {
    crates.saveAndFlush(new Crate(id).fill(1));
  }

  /** Fills a crate and calls no repository, so Spring Data publishes nothing. */
  public void fill(String id) {
    crates.findById(id).orElseThrow().fill(1);
  }
}
