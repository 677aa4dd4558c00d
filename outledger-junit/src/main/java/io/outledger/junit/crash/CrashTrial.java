// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.crash;

import io.outledger.Require;

/**
 * One run of a crash test: it knows at which step the application is to crash. A test method gets
 * it as a parameter; see {@link CrashTest}.
 */
public final class CrashTrial {

  private final CrashSeries series;
  private final int crashAt;

  CrashTrial(CrashSeries series, int crashAt) {
    this.series = series;
    this.crashAt = crashAt;
  }

  /**
   * Starts an application in a process that can crash.
   *
   * @param <A> the application
   */
  @FunctionalInterface
  public interface Launch<A extends AutoCloseable> {

    /**
     * Starts the application, as its main method does. It is called again after a crash.
     *
     * @param process what the application reaches the outside world through
     * @return the application, which the test closes
     * @throws Exception where it does not start; the test fails
     */
    A start(CrashingProcess process) throws Exception;
  }

  /**
   * Says how the application starts. Nothing is started before {@link CrashFlow#check()}.
   *
   * @param launch starts the application
   * @return what collects the rest of the test
   */
  public <A extends AutoCloseable> CrashFlow<A> start(Launch<A> launch) {
    return new CrashFlow<>(series, crashAt, Require.nonNull("launch", launch));
  }
}
