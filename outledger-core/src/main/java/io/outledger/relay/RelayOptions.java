// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Given;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How a relay works. Immutable; made by {@link #builder()}, whose methods give each default. */
public final class RelayOptions {

  final Duration lease;
  final int pageMessagesMax;
  final long pageBytesMax;
  final int windowMessages;
  final long windowBytes;
  final Duration pollIdle;
  final Duration pollBusy;
  final Duration saveWait;
  final int openRangesMax;
  final int holeRangesInRowMax;
  final RetryPolicy retry;
  final Backoff outage;
  final Duration outageHoldsUpOthers;
  final BreakerPolicy breaker;
  final Steps steps;

  private RelayOptions(Builder builder) {
    lease = builder.lease;
    pageMessagesMax = builder.pageMessagesMax;
    pageBytesMax = builder.pageBytesMax;
    windowMessages = builder.windowMessages;
    windowBytes = builder.windowBytes;
    pollIdle = builder.pollIdle;
    pollBusy = builder.pollBusy;
    saveWait = builder.saveWait;
    openRangesMax = builder.openRangesMax;
    holeRangesInRowMax = builder.holeRangesInRowMax;
    retry = builder.retry;
    outage = builder.outage;
    outageHoldsUpOthers = builder.outageHoldsUpOthers;
    breaker = builder.breaker;
    steps = builder.steps;
  }

  /** Returns a builder that holds the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the options that need no thought. */
  public static RelayOptions defaults() {
    return builder().build();
  }

  /** Returns how long the lease lasts. */
  public Duration lease() {
    return lease;
  }

  /** Returns what happens to rejected messages. */
  public RetryPolicy retry() {
    return retry;
  }

  /** Collects options; {@link #build()} checks them all at once. Not thread-safe. */
  public static final class Builder {

    private Duration lease = Duration.ofSeconds(10);
    private int pageMessagesMax = 5_000;
    private long pageBytesMax = 8L << 20;
    private int windowMessages = 10_000;
    private long windowBytes = 32L << 20;
    private Duration pollIdle = Duration.ofMillis(40);
    private Duration pollBusy = Duration.ofMillis(5);
    private Duration saveWait = Duration.ofMillis(50);
    private int openRangesMax = 200_000;
    private int holeRangesInRowMax = 200;
    private RetryPolicy retry = RetryPolicy.DEFAULT;
    private Backoff outage = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(4));
    private Duration outageHoldsUpOthers = Duration.ofSeconds(30);
    private BreakerPolicy breaker = BreakerPolicy.DEFAULT;
    private Steps steps = Steps.NONE;

    private Builder() {}

    /**
     * Sets how long an owner keeps its subscription without saving: a crashed one is succeeded
     * after it. At least 500 ms; the default is 10 seconds.
     */
    public Builder lease(Duration value) {
      lease = Given.check("lease", value);
      return this;
    }

    /** Sets how many messages one poll reads at most; the default is 5,000. */
    public Builder pageMessagesMax(int value) {
      pageMessagesMax = value;
      return this;
    }

    /** Sets the payload bytes that end a page, however few its messages; the default is 8 MiB. */
    public Builder pageBytesMax(long value) {
      pageBytesMax = value;
      return this;
    }

    /** Sets how many messages may be read and not settled, which bounds memory; default 10,000. */
    public Builder windowMessages(int value) {
      windowMessages = value;
      return this;
    }

    /** Sets the payload bytes not settled beyond which nothing more is read; default 32 MiB. */
    public Builder windowBytes(long value) {
      windowBytes = value;
      return this;
    }

    /**
     * Sets how long to wait between polls while nothing happens; the default is 40 ms. Commits of
     * this process wake a running relay, so this is about those of others.
     */
    public Builder pollIdle(Duration value) {
      pollIdle = Given.check("pollIdle", value);
      return this;
    }

    /**
     * Sets how long to wait between polls at least. The wait is a tenth of the time in which no
     * message has come, up to {@link #pollIdle}; the default is 5 ms.
     */
    public Builder pollBusy(Duration value) {
      pollBusy = Given.check("pollBusy", value);
      return this;
    }

    /**
     * Sets how long what is settled may wait for more, so that one save does for all of it. After a
     * crash what was settled meanwhile is published again. A quarter of the window does not wait.
     * With zero each step saves what it has settled; a tenth of the lease at most; the default is
     * 50 ms.
     */
    public Builder saveWait(Duration value) {
      saveWait = Given.check("saveWait", value);
      return this;
    }

    /** Sets how many ranges of open positions stop the reading ahead; the default is 200,000. */
    public Builder openRangesMax(int value) {
      openRangesMax = value;
      return this;
    }

    /**
     * Sets how many ranges of holes the cursor's row lists while they wait for the transactions
     * that may fill them. Where there are more, they move to rows of their own, so that the row,
     * which each save writes, stays small. The default is 200.
     */
    public Builder holeRangesInRowMax(int value) {
      holeRangesInRowMax = value;
      return this;
    }

    /** Sets what happens to rejected messages; the default is {@link RetryPolicy#DEFAULT}. */
    public Builder retry(RetryPolicy value) {
      retry = Given.check("retry", value);
      return this;
    }

    /** Sets the wait between probes of an unreachable destination; default 0.2 to 4 seconds. */
    public Builder outage(Backoff value) {
      outage = Given.check("outage", value);
      return this;
    }

    /**
     * Sets for how long an outage of one destination of several may hold up the others, which it
     * does where all that may be read waits for it. After that, what waits for it is set aside, a
     * row each: to do so in every short outage would cost more than it gains. The default is 30
     * seconds.
     */
    public Builder outageHoldsUpOthers(Duration value) {
      outageHoldsUpOthers = Given.check("outageHoldsUpOthers", value);
      return this;
    }

    /** Sets when a destination is suspected; the default is {@link BreakerPolicy#DEFAULT}. */
    public Builder breaker(BreakerPolicy value) {
      breaker = Given.check("breaker", value);
      return this;
    }

    /** Sets what messages pass on their way; the default is {@link Steps#NONE}. */
    public Builder steps(Steps value) {
      steps = Given.check("steps", value);
      return this;
    }

    /**
     * Builds the options.
     *
     * @throws ConfigurationException {@code OUT-021} listing every problem
     */
    public RelayOptions build() {
      List<String> problems = new ArrayList<>();
      require(
          lease.compareTo(Duration.ofMillis(500)) >= 0, "lease must be 500 ms or more", problems);
      require(pageMessagesMax >= 1, "pageMessagesMax must be 1 or more", problems);
      require(pageBytesMax >= 1, "pageBytesMax must be 1 or more", problems);
      require(windowMessages >= 1, "windowMessages must be 1 or more", problems);
      require(windowBytes >= 1, "windowBytes must be 1 or more", problems);
      require(!pollIdle.isNegative() && !pollIdle.isZero(), "pollIdle must be positive", problems);
      require(!pollBusy.isNegative() && !pollBusy.isZero(), "pollBusy must be positive", problems);
      require(
          !saveWait.isNegative() && saveWait.compareTo(lease.dividedBy(10)) <= 0,
          "saveWait must be from zero to a tenth of the lease",
          problems);
      require(
          !outageHoldsUpOthers.isNegative(), "outageHoldsUpOthers must not be negative", problems);
      require(openRangesMax >= 1, "openRangesMax must be 1 or more", problems);
      require(holeRangesInRowMax >= 0, "holeRangesInRowMax must not be negative", problems);
      if (!problems.isEmpty()) {
        throw new ConfigurationException(
            ErrorCode.INVALID_CONFIGURATION, "relay options: " + String.join("; ", problems));
      }
      return new RelayOptions(this);
    }

    private static void require(boolean holds, String problem, List<String> problems) {
      if (!holds) {
        problems.add(problem);
      }
    }
  }
}
