// SPDX-License-Identifier: Apache-2.0
/**
 * Real servers and processes, and what is done to them, from a seed: killed, frozen, cut off,
 * stopped. At the end the checker judges what the database, the broker and the effects say.
 */
@NullMarked
package io.outledger.chaos.kill;

import org.jspecify.annotations.NullMarked;
