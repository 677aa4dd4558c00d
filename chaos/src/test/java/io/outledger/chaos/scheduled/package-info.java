// SPDX-License-Identifier: Apache-2.0
/** What is asked of scheduled messages, and a small run of killed processes. */
@NullMarked
package io.outledger.chaos.scheduled;

import org.jspecify.annotations.NullMarked;
