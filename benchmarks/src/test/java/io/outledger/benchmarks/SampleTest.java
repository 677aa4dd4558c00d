// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SampleTest {

  @Test
  void medianIsTheMiddleOrTheMeanOfTheTwoInTheMiddle() {
    assertThat(Sample.of(List.of(9, 1, 2)).median()).isEqualTo(2);
    assertThat(Sample.of(List.of(4, 1, 2, 9)).median()).isEqualTo(3);
  }

  @Test
  void percentileIsTheValueThatSoManyDoNotExceed() {
    Sample hundred = Sample.of(IntStream.rangeClosed(1, 100).boxed().toList());

    assertThat(hundred.percentile(50)).isEqualTo(50);
    assertThat(hundred.percentile(99)).isEqualTo(99);
    assertThat(Sample.of(List.of(7)).percentile(99)).isEqualTo(7);
  }

  @Test
  void nothingHasNoMedian() {
    assertThatIllegalArgumentException().isThrownBy(() -> Sample.of(List.<Double>of()));
  }
}
