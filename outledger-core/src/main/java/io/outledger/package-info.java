// SPDX-License-Identifier: Apache-2.0
/**
 * The core types of Outledger: messages, errors, and the types that all modules share. Most users
 * need only {@link io.outledger.Outbox} and {@link io.outledger.Message}.
 *
 * <p>In all packages: where something has to be given, null fails with a {@link
 * io.outledger.ConfigurationException} {@code OUT-021} that names the parameter. What may be null
 * is annotated.
 */
@NullMarked
package io.outledger;

import org.jspecify.annotations.NullMarked;
