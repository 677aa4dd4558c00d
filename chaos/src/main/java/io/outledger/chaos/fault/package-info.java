// SPDX-License-Identifier: Apache-2.0
/**
 * What can be done to a shop, a class for each story. A story acts on a victim that is at work,
 * says what it had in flight, and leaves behind a shop that can go on. It never judges.
 */
@NullMarked
package io.outledger.chaos.fault;

import org.jspecify.annotations.NullMarked;
