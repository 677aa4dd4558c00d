// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.contract.TwoDataSourcesContract;

/** Two data sources on this line of Spring Boot. */
class TwoDataSources41IT extends TwoDataSourcesContract {}
