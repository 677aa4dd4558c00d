// SPDX-License-Identifier: Apache-2.0
/**
 * A small shop of real servers and processes, made to be broken: a durable database, a broker, a
 * faulty line before each, and the roles. It knows how to start and replace its parts, and nothing
 * of what is done to them.
 */
@NullMarked
package io.outledger.chaos.shop;

import org.jspecify.annotations.NullMarked;
