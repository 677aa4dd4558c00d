// SPDX-License-Identifier: Apache-2.0
/**
 * The demo: starts real servers and services, kills each of them while it works, and counts
 * afterwards. Start reading at {@link io.outledger.examples.demo.Demo}.
 */
@NullMarked
package io.outledger.examples.demo;

import org.jspecify.annotations.NullMarked;
