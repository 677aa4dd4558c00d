// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.time.TimeSource;
import java.util.random.RandomGenerator;

/** What every part of a relay is handed from outside. */
record RelayContext(
    RelayOptions options,
    TimeSource time,
    RandomGenerator random,
    RelayListener listener,
    Wakeup wakeup,
    ReadAhead readAhead) {}
