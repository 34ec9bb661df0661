#include "platform/cli/describe_command.h"

#include "platform/cli/options.h"
#include "platform/cli/process_pod.h"
#include "platform/cli/project_root.h"
#include "platform/config/pod_reader.h"
#include "platform/report/json_layout.h"
#include "platform/report/pod_summary.h"
#include "platform/report/torus_picture.h"
#include "platform/run/run_file.h"

namespace podsim::cli {

DescribeCommand::DescribeCommand(CLI::App& parent)
    : Command(parent, "describe", "Build a pod and say what it is: chips, links, hosts, peak and bisection bandwidth",
              "Examples:\n"
              "  podsim describe tpu-v5p-8x8x8\n"
              "  podsim describe tpu-v5e-4x4 --set topology.axes.0.wrap=yes\n"
              "  podsim describe tpu-v5e-4x4 --config > my-pod.yaml") {
  app().add_option("POD", pod_, "Pod: a preset or a path")->required()->type_name("");
  app().add_flag("--config", config_, "Print every key in effect, as YAML, instead");
  add_set_option(app(), sets_);
  json_.add_option(app());
}

int DescribeCommand::execute(Output& out) {
  json_.check_writable();
  if (json_.is_stdout()) out.mute();
  const pod::PodConfig config = config::read_pod(config::load_pod(pod_, find_project_root(), sets_));
  const config::SourceMark mark = option_mark("describe", pod_);
  const ici::TorusShape torus = run::checked_shape(config, mark);
  const pod::Pod& pod = build_process_pod(config, /*with_data=*/false, pod::Extent::kAllChips, mark);
  const report::PodSummary summary = report::summarise(pod);
  out.print(config_ ? config::to_yaml(config::list_keys(config))
                    : report::summary_text(summary) + '\n' + report::torus_picture(torus, pod.dead_links()));
  json_.write(out, [&](std::ostream& stream) {
    report::write_json(stream, report::summary_json(summary));
    stream << '\n';
  });
  return 0;
}

}  // namespace podsim::cli
