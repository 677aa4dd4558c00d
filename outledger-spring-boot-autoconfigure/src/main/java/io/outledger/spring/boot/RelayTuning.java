// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.BreakerPolicy;
import io.outledger.relay.options.RelayOptions;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Options of relays that few applications change.
 *
 * @param saveWait the longest time between settling a message and saving its position
 * @param pollBusy how long to wait between polls while messages come
 * @param pageMessages how many messages a poll reads at most
 * @param pageSize how many payload bytes a poll reads at most
 * @param windowMessages how many messages a relay may have read but not settled
 * @param windowSize how many payload bytes a relay may have read but not settled
 * @param probeFirst the longest wait until a destination that is away is tried again; it doubles
 * @param probeMax the longest wait between such attempts
 * @param holdsUpOthersMax how long a destination that is away may delay others of the subscription
 * @param breakerFailures how many keys must be rejected in a row until the destination counts as
 *     broken
 * @param breakerProbeFor how long a broken destination is tried with one message at a time
 * @param breakerProbeFirst the longest wait until the first of these attempts; it doubles
 * @param breakerProbeMax the longest wait between these attempts
 * @param breakerRejectionsPerSecond how many rejections a second are let through after that
 * @param openRangesMax at how many ranges of open positions a relay stops reading ahead
 * @param holeRangesInRowMax how many ranges of holes are kept in the cursor's row
 */
public record RelayTuning(
    @DefaultValue("50ms") Duration saveWait,
    @DefaultValue("5ms") Duration pollBusy,
    @DefaultValue("5000") int pageMessages,
    @DefaultValue("8MB") DataSize pageSize,
    @DefaultValue("10000") int windowMessages,
    @DefaultValue("32MB") DataSize windowSize,
    @DefaultValue("200ms") Duration probeFirst,
    @DefaultValue("4s") Duration probeMax,
    @DefaultValue("30s") Duration holdsUpOthersMax,
    @DefaultValue("20") int breakerFailures,
    @DefaultValue("1m") Duration breakerProbeFor,
    @DefaultValue("500ms") Duration breakerProbeFirst,
    @DefaultValue("5s") Duration breakerProbeMax,
    @DefaultValue("100") int breakerRejectionsPerSecond,
    @DefaultValue("200000") int openRangesMax,
    @DefaultValue("200") int holeRangesInRowMax) {

  /**
   * Sets them.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if a back-off or the breaker is not
   *     valid; what else is not, the options tell when they are built
   */
  RelayOptions.Builder applyTo(RelayOptions.Builder options) {
    return options
        .saveWait(saveWait)
        .polling(
            polling ->
                polling
                    .withBusy(pollBusy)
                    .withPageMessagesMax(pageMessages)
                    .withPageBytesMax(pageSize.toBytes()))
        .window(window -> window.withMessages(windowMessages).withBytes(windowSize.toBytes()))
        .outage(
            outage ->
                outage
                    .withProbes(new Backoff(probeFirst, probeMax))
                    .withHoldsUpOthersMax(holdsUpOthersMax))
        .breaker(
            new BreakerPolicy(
                breakerFailures,
                breakerProbeFor,
                new Backoff(breakerProbeFirst, breakerProbeMax),
                breakerRejectionsPerSecond))
        .holes(
            holes -> holes.withOpenRangesMax(openRangesMax).withRangesInRowMax(holeRangesInRowMax));
  }
}
