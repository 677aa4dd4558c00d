// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a customer was told in the end.
 *
 * @param key the request's Idempotency-Key
 * @param order the order that was made; null where it was refused
 */
record Answer(UUID key, @Nullable UUID order) {}
