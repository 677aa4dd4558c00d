// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.contract.TwoOutledgersContract;

/** Two outboxes on this line of Spring Boot. */
class TwoOutledgers41IT extends TwoOutledgersContract {}
