// SPDX-License-Identifier: Apache-2.0
/**
 * What sending and receiving share of how they treat failures: the {@link
 * io.outledger.parking.Breaker}, the {@link io.outledger.parking.FailingKinds}, the {@link
 * io.outledger.parking.FailureRule}, the {@link io.outledger.parking.Suspects}, the {@link
 * io.outledger.parking.Load} of what waits, and the {@link io.outledger.parking.ParkingWords} for
 * the log. Internal: public for {@code relay} and {@code receive} only.
 */
@NullMarked
package io.outledger.parking;

import org.jspecify.annotations.NullMarked;
