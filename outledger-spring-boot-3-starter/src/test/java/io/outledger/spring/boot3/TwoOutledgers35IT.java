// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.contract.TwoOutledgersContract;

/** Two outboxes on this line of Spring Boot. */
class TwoOutledgers35IT extends TwoOutledgersContract {}
