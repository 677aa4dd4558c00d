// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.time.TimeSource;
import java.util.random.RandomGenerator;

/** The collaborators that every part of a relay is given. */
record RelayContext(
    RelayOptions options,
    TimeSource time,
    RandomGenerator random,
    RelayListener listener,
    Wakeup wakeup,
    ReadAhead readAhead) {}
