// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.event.EventTypes;

/**
 * Registers event types that are not annotated, or that have a guard, an enrichment or a mapping.
 * Every bean of this type is called once, when Outledger is built.
 */
@FunctionalInterface
public interface EventTypesCustomizer {

  /** Registers types. */
  void customize(EventTypes.Builder types);
}
